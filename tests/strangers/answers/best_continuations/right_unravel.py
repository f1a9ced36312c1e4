# Right: one flat row, torch.sort(stable=True) and torch.unravel_index.
import torch


def best_continuations(scores, logits, n):
    possible = logits > -torch.inf
    wide = logits.double()
    logs = wide - torch.logsumexp(wide, dim=1, keepdim=True)
    total = torch.where(possible, scores.double()[:, None] + logs, -torch.inf)
    values, places = torch.sort(total.flatten(), descending=True, stable=True)
    m = min(n, int(possible.sum()))
    beam, token = torch.unravel_index(places[:m], total.shape)
    return values[:m].float(), beam, token
