# wrong: n are returned even where fewer may follow: the rest with a score of -inf
import torch


def best_continuations(scores, logits, n):
    total = scores[:, None] + torch.log_softmax(logits, dim=1)
    total = total.nan_to_num(nan=-torch.inf, neginf=-torch.inf).flatten()
    best, order = total.sort(descending=True, stable=True)
    return best[:n], order[:n] // logits.shape[1], order[:n] % logits.shape[1]
