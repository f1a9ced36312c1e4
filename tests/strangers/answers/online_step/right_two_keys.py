# the past is one key of weight l with value o, the new key one of weight 1 with value v; both are stacked and averaged; right
def weighted_mean(scores, weights, values):
    """scores, weights (2, R), values (2, R, d_v): mean, maximum and denominator of each row."""
    top = scores.amax(dim=0)
    base = torch.where(top == -torch.inf, 0.0, top)
    parts = weights * torch.exp(scores - base)
    total = parts.sum(dim=0)
    shares = torch.where(total > 0, parts / torch.where(total > 0, total, 1.0), 0.0)
    return torch.einsum("tr,trc->rc", shares, values), top, total


def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    scores = torch.stack([m, s])
    weights = torch.stack([l, torch.ones_like(l)])
    values = torch.stack([o, v.expand_as(o)])
    return weighted_mean(scores, weights, values)
