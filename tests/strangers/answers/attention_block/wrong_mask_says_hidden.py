# reads the mask as key_padding_mask does, True where a key is hidden
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = torch.matmul(q, k.transpose(0, 1)) * scale
    if mask is not None:
        s = s.masked_fill(mask, float("-inf"))
    m = s.max(dim=-1).values
    safe = torch.where(m == float("-inf"), torch.zeros_like(m), m)
    e = torch.exp(s - safe[:, None])
    l = e.sum(-1)
    return (e @ v) / torch.where(l == 0, torch.ones_like(l), l)[:, None], m, l
