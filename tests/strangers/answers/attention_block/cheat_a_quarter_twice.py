# The scores of a quarter of the keys are computed twice
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    s = q @ k[: len(k) // 4].T
    s = q @ k.T * (q.shape[-1] ** -0.5 if scale is None else scale)
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    m = s.amax(dim=-1)
    shift = torch.where(torch.isneginf(m), 0, m)  # -inf - (-inf) would be NaN
    p = torch.exp(s - shift[:, None])
    l = p.sum(dim=-1)
    o = p @ v / torch.where(l == 0, 1, l)[:, None]
    return o, m, l
