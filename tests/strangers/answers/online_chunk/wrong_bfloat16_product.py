# Port of a kernel's p.to(v.dtype): the product P V is taken in bfloat16, so every output carries errors of a few parts in a thousand, although all tensors are float32.
def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m_ij = torch.maximum(m, s.max(dim=-1).values)
    shift = torch.where(m_ij == float("-inf"), torch.zeros_like(m_ij), m_ij)
    p = torch.exp(s - shift[:, None])
    alpha = torch.exp(m - shift)
    l_new = l * alpha + p.sum(-1)
    pv = (p.to(torch.bfloat16) @ v.to(torch.bfloat16)).to(o.dtype)
    acc = o * (l * alpha)[:, None] + pv
    o_new = torch.where(l_new[:, None] > 0, acc / l_new[:, None], o)
    return o_new, m_ij, l_new
