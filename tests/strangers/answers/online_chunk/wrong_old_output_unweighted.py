# FlashAttention-2 update on a normalised output: o is rescaled by exp(m - m') without l and then divided; wrong once l is not 1
def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m_new = torch.maximum(m, s.max(dim=-1).values)
    m_safe = torch.where(m_new.isneginf(), 0.0, m_new)
    p = torch.exp(s - m_safe[:, None])
    alpha = torch.exp(m - m_safe)
    l_new = alpha * l + p.sum(-1)
    acc = o * alpha[:, None] + p @ v
    return acc / torch.where(l_new > 0, l_new, 1.0)[:, None], m_new, l_new
