# each beam has at most one successor
def best_continuations(scores: Tensor, logits: Tensor, n: int) -> tuple[Tensor, Tensor, Tensor]:
    logp = torch.log_softmax(logits, 1)
    best, token = (scores[:, None] + logp).max(1)
    order = torch.argsort(best, descending=True, stable=True)[:n]
    order = order[best[order] > -torch.inf]
    return best[order], order, token[order]
