# a loop over the queries that picks the visible keys by the mask, results filled into the empty block
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    if scale is None:
        scale = 1.0 / q.shape[-1] ** 0.5
    n = q.shape[0]
    o = torch.zeros(n, v.shape[1], dtype=q.dtype, device=q.device)
    m = torch.full((n,), -torch.inf, dtype=q.dtype, device=q.device)
    l = torch.zeros(n, dtype=q.dtype, device=q.device)
    for i in range(n):
        seen = slice(None) if mask is None else mask[i]
        scores = (k[seen] @ q[i]) * scale
        if scores.numel() == 0:
            continue
        m[i] = scores.max()
        w = torch.exp(scores - m[i])
        l[i] = w.sum()
        o[i] = (w / l[i]) @ v[seen]
    return o, m, l
