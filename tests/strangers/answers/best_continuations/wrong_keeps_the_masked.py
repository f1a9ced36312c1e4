# what must not follow is returned too, with a score of -inf
def best_continuations(scores: Tensor, logits: Tensor, n: int) -> tuple[Tensor, Tensor, Tensor]:
    logp = torch.where(logits > -torch.inf, logits - torch.logsumexp(logits, 1, keepdim=True), -torch.inf)
    total = (scores[:, None] + logp).flatten()
    order = torch.argsort(total, descending=True, stable=True)[:n]
    V = logits.shape[1]
    return total[order], order // V, order % V
