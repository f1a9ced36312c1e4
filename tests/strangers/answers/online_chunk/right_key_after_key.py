# takes the keys of the chunk one after another, rows with a masked score left alone through where
def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    for j in range(s.shape[1]):
        x = s[:, j]
        live = x > -torch.inf
        top = torch.where(live, torch.maximum(m, x), m)
        ref = torch.where(live, top, torch.zeros_like(top))
        old = torch.where(live, l * torch.exp(m - ref), l)
        new = torch.where(live, torch.exp(x - ref), torch.zeros_like(x))
        total = old + new
        share = torch.where(live, new / total, torch.zeros_like(total))
        rest = torch.where(live, old / total, torch.ones_like(total))
        o = rest[:, None] * o + share[:, None] * v[j]
        m, l = top, total
    return o, m, l
