# hurried: the output is rescaled, the denominator that is returned is not; wrong wherever the maximum rises
def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m_new = torch.maximum(m, s.max(dim=1).values)
    shift = torch.where(torch.isinf(m_new), 0.0, m_new)
    alpha = torch.exp(m - shift)
    p = torch.exp(s - shift[:, None])
    l_new = l + p.sum(dim=1)
    acc = (l * alpha)[:, None] * o + p @ v
    o_new = torch.where(l_new[:, None] > 0, acc / l_new[:, None], 0.0)
    return o_new, m_new, l_new
