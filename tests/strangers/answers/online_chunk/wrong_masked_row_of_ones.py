# Cleans the differences instead of the exponentials: nan_to_num(s - m') makes 0 of -inf minus -inf, so an empty row with a fully masked chunk gains l = C and the mean of the chunk's values.
def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m_new = torch.maximum(m, s.max(dim=1).values)
    alpha = torch.exp(torch.nan_to_num(m - m_new, nan=0.0, neginf=-torch.inf))
    P = torch.exp(torch.nan_to_num(s - m_new[:, None], nan=0.0, neginf=-torch.inf))
    l_new = alpha * l + P.sum(dim=1)
    out = ((alpha * l)[:, None] * o + P @ v) / l_new.clamp(min=1e-30)[:, None]
    return out, m_new, l_new
