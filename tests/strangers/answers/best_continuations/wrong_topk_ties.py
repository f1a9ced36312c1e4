# Wrong: topk, which promises no order among equal ones.
# Breaks: "Those that are equal as computed ... stand in the order of their beams, and in a beam in that of their tokens."
import torch


def best_continuations(scores, logits, n):
    V = logits.shape[1]
    logp = logits - torch.logsumexp(logits, dim=1, keepdim=True)
    logp = torch.where(torch.isneginf(logits), -torch.inf, logp)
    total = (scores[:, None] + logp).flatten()
    n = min(n, int((total > -torch.inf).sum()))
    score, at = torch.topk(total, n)
    return score, at // V, at % V
