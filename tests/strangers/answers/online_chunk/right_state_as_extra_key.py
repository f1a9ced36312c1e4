# appends the state as one more key with score m, weight l and value o, and takes one normalised product
def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    scores = torch.cat([m[:, None], s], dim=1)
    top = scores.amax(dim=1)
    weights = torch.exp(scores - torch.where(top == -torch.inf, 0.0, top)[:, None])
    weights[:, 0] *= l
    total = weights.sum(dim=1)
    share = weights / torch.where(total == 0, 1.0, total)[:, None]
    return share[:, :1] * o + share[:, 1:] @ v, top, total
