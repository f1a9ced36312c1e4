# plain: the numbers of tokens stand where the starts belong
import torch


def token_order(n, size, layout):
    if layout == "stripe":
        held = [torch.arange(r, n, size) for r in range(size)]
    else:
        ends = [n * c // (2 * size) for c in range(2 * size + 1)]
        pieces = [torch.arange(a, b) for a, b in zip(ends, ends[1:])]
        held = [torch.cat([pieces[r], pieces[-1 - r]]) for r in range(size)]
    order = torch.cat(held)
    return order, torch.tensor([0] + [len(h) for h in held]), order.argsort()
