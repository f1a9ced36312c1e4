# ragged-zigzag: chunks of ceil(n / 2W) tokens, so that the last ones are short or empty
import math

import torch


def token_order(n, size, layout):
    if layout == "stripe":
        held = [torch.arange(r, n, size) for r in range(size)]
    else:
        c = math.ceil(n / (2 * size))
        pieces = [torch.arange(n)[i * c : (i + 1) * c] for i in range(2 * size)]
        held = [torch.cat([pieces[r], pieces[2 * size - 1 - r]]) for r in range(size)]
    order = torch.cat(held)
    starts = torch.tensor([0] + [len(h) for h in held]).cumsum(0)
    return order, starts, order.argsort()
