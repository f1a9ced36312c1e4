# cleans all three results with nan_to_num, which also turns m = -inf of an empty state into -3.4e38
def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m_new = torch.maximum(m, s)
    alpha = torch.nan_to_num(torch.exp(m - m_new))
    beta = torch.nan_to_num(torch.exp(s - m_new))
    l_new = l * alpha + beta
    o_new = (l * alpha / l_new)[:, None] * o + (beta / l_new)[:, None] * v
    return torch.nan_to_num(o_new), torch.nan_to_num(m_new), torch.nan_to_num(l_new)
