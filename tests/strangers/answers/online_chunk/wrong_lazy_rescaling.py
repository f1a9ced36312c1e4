# Copies the trick of newer kernels, to move the maximum only if it grows by more than 8: the output is right, but the returned m is not the maximum and l is measured from the stale one wherever the maximum grows by less.
def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    threshold = 8.0
    row_max = s.amax(dim=-1)
    needs_rescale = row_max > m + threshold
    m_new = torch.where(needs_rescale, row_max, m)
    m_safe = torch.where(torch.isinf(m_new), torch.zeros_like(m_new), m_new)
    scale = torch.exp(m - m_safe)
    p = torch.exp(s - m_safe.unsqueeze(-1))
    l_scaled = l * scale
    l_new = l_scaled + p.sum(dim=-1)
    inv = torch.where(l_new > 0, 1.0 / l_new, torch.zeros_like(l_new))
    o_new = (l_scaled.unsqueeze(-1) * o + p @ v) * inv.unsqueeze(-1)
    return o_new, m_new, l_new
