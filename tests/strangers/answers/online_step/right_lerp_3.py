# moves the old output towards the value by the key's share (o + w (v - o) as a weighted mean with two fractions), masked by where; keeps the contract
def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    masked = s == float("-inf")
    m_new = torch.where(s > m, s, m)
    anchor = torch.where(m_new == float("-inf"), torch.zeros_like(m_new), m_new)
    past = l * (m - anchor).exp()
    fresh = (s - anchor).exp()
    l_new = past + fresh
    denominator = torch.where(l_new == 0, torch.ones_like(l_new), l_new)
    mix = torch.stack([past / denominator, fresh / denominator], dim=1)  # (R, 2)
    both = torch.stack([o, v.expand_as(o)], dim=1)  # (R, 2, d_v)
    o_new = torch.einsum("rt,rtc->rc", mix, both)
    o_new = torch.where(masked[:, None], o, o_new)
    l_new = torch.where(masked, l, l_new)
    return o_new, m_new, l_new
