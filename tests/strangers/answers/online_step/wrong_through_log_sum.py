# weights from L = m + log l and l back as exp(L - m): for scores of 1e5 and more the rounding of L spoils both by percents
def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m_new = torch.maximum(m, s)
    L = m + torch.log(l)
    L_new = torch.logaddexp(L, s)
    empty = torch.isneginf(L_new)
    ref = torch.where(empty, 0.0, L_new)
    o_new = torch.exp(L - ref)[:, None] * o + torch.exp(s - ref)[:, None] * v
    l_new = torch.where(empty, 0.0, torch.exp(ref - torch.where(empty, 0.0, m_new)))
    return o_new, m_new, l_new
