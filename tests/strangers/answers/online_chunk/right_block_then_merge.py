# right: first the chunk alone as an (o, m, l) of its own, by a helper, then a merge of two such states; -inf is guarded in both
def _alone(s, v):
    top = s.amax(dim=1)
    base = torch.where(top > -torch.inf, top, torch.zeros_like(top))
    P = torch.exp(s - base.unsqueeze(1))
    weight = P.sum(dim=1)
    mean = (P @ v) / weight.clamp(min=0.5).unsqueeze(1)  # a weight is 0 or at least 1
    return mean, top, weight


def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    o2, m2, l2 = _alone(s, v)
    top = torch.where(m2 > m, m2, m)
    base = torch.where(top > -torch.inf, top, torch.zeros_like(top))
    w1, w2 = l * torch.exp(m - base), l2 * torch.exp(m2 - base)
    total = w1 + w2
    safe = torch.where(total > 0, total, torch.ones_like(total))
    mixed = (w1 / safe).unsqueeze(1) * o + (w2 / safe).unsqueeze(1) * o2
    return mixed, top, total
