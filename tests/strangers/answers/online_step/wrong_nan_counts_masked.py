# Mends -inf - (-inf) by nan_to_num to 0, whose exponential is 1, so a masked score that meets the empty state is counted as a key of weight 1 (l = 1 and o = v).
def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m_new = torch.maximum(m, s)
    alpha = torch.exp(torch.nan_to_num(m - m_new, nan=0.0))
    beta = torch.exp(torch.nan_to_num(s - m_new, nan=0.0))
    l_new = l * alpha + beta
    o_new = (l * alpha / l_new)[:, None] * o + (beta / l_new)[:, None] * v[None, :]
    return o_new, m_new, l_new
