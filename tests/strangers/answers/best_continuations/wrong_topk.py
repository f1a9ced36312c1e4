# torch.topk, which puts equal ones in any order
def best_continuations(scores: Tensor, logits: Tensor, n: int) -> tuple[Tensor, Tensor, Tensor]:
    logp = torch.where(logits > -torch.inf, logits - torch.logsumexp(logits, 1, keepdim=True), -torch.inf)
    total = (scores[:, None] + logp).flatten()
    order = total.topk(min(n, len(total))).indices
    order = order[total[order] > -torch.inf]
    V = logits.shape[1]
    return total[order], order // V, order % V
