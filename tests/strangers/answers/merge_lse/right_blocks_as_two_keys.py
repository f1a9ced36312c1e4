# Reads each block as one key with score L and value o: a max-shifted softmax over a stacked axis of length 2, log1p for the new L.
def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    scores = torch.stack([L1, L2], dim=-1)
    values = torch.stack([o1, o2], dim=-2)
    high, low = scores.amax(-1), scores.amin(-1)
    ratio = torch.where(low == -torch.inf, 0.0, torch.exp(low - high))
    first = (L1 >= L2)[:, None]
    big, small = 1 / (1 + ratio), ratio / (1 + ratio)
    w = torch.where(first, torch.stack([big, small], -1), torch.stack([small, big], -1))
    return torch.einsum("nb,nbd->nd", w, values), high + torch.log1p(ratio)
