# Writes scale or default, which takes a scale of 0 (all seen keys equally heavy) for None and uses 1/sqrt(d).
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    scale = scale or 1.0 / q.shape[-1] ** 0.5
    s = scale * q @ k.T
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    m = s.amax(dim=-1)
    m_safe = m.masked_fill(m == float("-inf"), 0)
    p = torch.exp(s - m_safe[:, None])
    l = p.sum(dim=-1)
    o = p @ v / l.masked_fill(l == 0, 1)[:, None]
    return o, m, l
