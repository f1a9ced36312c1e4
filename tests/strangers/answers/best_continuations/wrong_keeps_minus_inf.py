# Wrong: returns n texts also where some must not follow, with a score of -inf; and a masked row is NaN.
# Breaks: "m is n, or fewer if fewer texts may follow."
import torch


def best_continuations(scores, logits, n):
    total = scores[:, None] + torch.log_softmax(logits, dim=-1)
    total = total.nan_to_num(nan=-torch.inf, neginf=-torch.inf)
    V = logits.shape[1]
    order = torch.sort(total.flatten(), descending=True, stable=True).indices[:n]
    return total.flatten()[order], order // V, order % V
