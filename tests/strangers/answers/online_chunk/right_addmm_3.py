# matmul-minded: shares first, then one product of shares and values
def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    top = torch.maximum(m, s.amax(dim=1))
    base = top.masked_fill(top.isneginf(), 0.0)

    carried = (m - base).exp() * l
    p = (s - base[:, None]).exp()
    total = p.sum(dim=1) + carried
    inverse = total.masked_fill(total == 0, 1.0).reciprocal()

    mixed = (p * inverse[:, None]) @ v
    mixed += (carried * inverse)[:, None] * o

    idle = s.isneginf().all(dim=1)
    return torch.where(idle[:, None], o, mixed), top, torch.where(idle, l, total)
