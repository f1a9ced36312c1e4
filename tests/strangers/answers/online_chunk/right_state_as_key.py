# right: the old state is one more key of score m, weight l and value o; per row one normalised mean over C + 1 of them.
def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    scores = torch.cat([m[:, None], s], dim=1)
    top = scores.max(dim=1).values
    origin = torch.where(torch.isneginf(top), torch.zeros_like(top), top)
    weights = torch.exp(scores - origin[:, None])
    weights[:, 0] *= l
    total = weights.sum(dim=1)
    share = weights / torch.where(total > 0, total, torch.ones_like(total))[:, None]
    return share[:, :1] * o + share[:, 1:] @ v, top, total
