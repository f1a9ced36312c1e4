# style: one row, a stable sort, what must not follow counted out
import torch


def best_continuations(scores, logits, n):
    allowed = logits > -torch.inf
    total = scores[:, None] + torch.log_softmax(logits, dim=1)
    total = torch.where(allowed, total, -torch.inf).flatten()
    best, order = total.sort(descending=True, stable=True)
    m = min(n, int(allowed.sum()))
    return best[:m], order[:m] // logits.shape[1], order[:m] % logits.shape[1]
