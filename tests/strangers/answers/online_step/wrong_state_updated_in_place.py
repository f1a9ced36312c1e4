# writes the new state into the tensors it was given and returns those, not new tensors
def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m_new = torch.maximum(m, s)
    shift = torch.where(m_new == -torch.inf, 0.0, m_new)
    keep = l * torch.exp(m - shift)
    add = torch.exp(s - shift)
    l.copy_(keep + add)
    norm = torch.where(l > 0, l, 1.0)
    o.mul_((keep / norm)[:, None]).add_((add / norm)[:, None] * v)
    m.copy_(m_new)
    return o, m, l
