# Writes `scale or d**-0.5`, so that the legal scale 0 is taken for None and the scores are scaled by 1/sqrt(d).
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    scale = scale or q.size(-1) ** -0.5
    S = scale * torch.einsum("nd,md->nm", q, k)
    if mask is not None:
        S = S.masked_fill(~mask, float("-inf"))
    m = S.max(dim=-1).values
    m_safe = torch.where(m == float("-inf"), torch.zeros_like(m), m)
    P = torch.exp(S - m_safe[:, None])
    l = P.sum(dim=-1)
    o = torch.einsum("nm,mv->nv", P, v)
    o = torch.where(l[:, None] > 0, o / l[:, None], torch.zeros_like(o))
    return o, m, l
