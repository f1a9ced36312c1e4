# clones the state and moves only the rows whose score is not masked towards the value
def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    o, m, l = o.clone(), m.clone(), l.clone()
    rows = torch.nonzero(s > -torch.inf).squeeze(1)
    top = torch.maximum(m[rows], s[rows])
    weight = torch.exp(s[rows] - top)
    total = l[rows] * torch.exp(m[rows] - top) + weight
    share = (weight / total).unsqueeze(1)
    o[rows] = torch.lerp(o[rows], v.expand(len(rows), -1), share.expand(-1, len(v)))
    m[rows], l[rows] = top, total
    return o, m, l
