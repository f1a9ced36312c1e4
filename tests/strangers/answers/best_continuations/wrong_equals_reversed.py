# wrong: argsort upwards and turned round: equal ones come in the reverse order of beams and tokens, and at the cut the wrong ones stay
import torch


def best_continuations(scores, logits, n):
    allowed = logits > -torch.inf
    total = scores[:, None] + torch.log_softmax(logits, dim=1)
    total = total.masked_fill(~allowed, -torch.inf).flatten()
    order = total.argsort(stable=True).flip(0)[: min(n, int(allowed.sum()))]
    return total[order], order // logits.shape[1], order % logits.shape[1]
