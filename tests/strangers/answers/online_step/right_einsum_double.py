# right: past and new key as a stack of two, weights in float64, averaged with einsum and cast back
def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    maxima = torch.stack([m, s]).double()
    counts = torch.stack([l, torch.ones_like(l)]).double()
    top = maxima.amax(dim=0)
    base = torch.where(top.isneginf(), torch.zeros_like(top), top)
    parts = counts * torch.exp(maxima - base)
    total = parts.sum(dim=0)
    weights = parts / torch.where(total > 0, total, torch.ones_like(total))
    means = torch.stack([o, v.expand_as(o)]).double()
    mixed = torch.einsum("kr,krd->rd", weights, means)
    return mixed.to(o.dtype), top.to(m.dtype), total.to(l.dtype)
