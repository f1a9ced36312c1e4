# the n best of each beam first, then the n best of those; stable both times
import torch


def best_continuations(scores, logits, n):
    rows = []
    for b in range(len(scores)):
        row = torch.nan_to_num(torch.log_softmax(logits[b], 0), nan=-torch.inf, neginf=-torch.inf) + scores[b]
        value, token = row.sort(descending=True, stable=True)
        rows.append((value[:n], torch.full_like(token[:n], b), token[:n]))
    value, beam, token = (torch.cat(parts) for parts in zip(*rows))
    value, order = value.sort(descending=True, stable=True)
    m = min(n, int(torch.isfinite(value).sum()))
    return value[:m], beam[order[:m]], token[order[:m]]
