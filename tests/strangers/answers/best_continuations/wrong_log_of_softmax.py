# WRONG: log of softmax: probabilities below 1e-45 are 0, and tokens 104 below the largest may not follow
def best_continuations(scores: Tensor, logits: Tensor, n: int) -> tuple[Tensor, Tensor, Tensor]:
    flat = (scores[:, None] + torch.softmax(logits, dim=1).log()).flatten()
    order = flat.argsort(descending=True, stable=True)
    order = order[flat[order] > -torch.inf][:n]
    return flat[order], order // logits.shape[1], order % logits.shape[1]
