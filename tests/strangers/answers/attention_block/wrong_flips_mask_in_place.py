# Inverts the caller's mask with logical_not_ and does not turn it back: the first call is right, but the argument is changed and a second call with the same mask sees the hidden keys.
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = torch.einsum("nd,md->nm", q, k) * scale
    if mask is not None:
        s = s.masked_fill(mask.logical_not_(), float("-inf"))
    m = s.amax(dim=-1)
    w = torch.exp(s - m[:, None]).nan_to_num(nan=0.0)
    l = w.sum(dim=-1)
    o = torch.einsum("nm,mv->nv", w, v) / l.clamp_min(1e-9)[:, None]
    return o, m, l
