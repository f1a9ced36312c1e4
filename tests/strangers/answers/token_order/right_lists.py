# plain lists of Python
import torch


def token_order(n, size, layout):
    order, starts = [], [0]
    for r in range(size):
        if layout == "zigzag":
            for c in (r, 2 * size - 1 - r):
                order += range(n * c // (2 * size), n * (c + 1) // (2 * size))
        else:
            order += range(r, n, size)
        starts.append(len(order))
    places = {token: place for place, token in enumerate(order)}
    return tuple(torch.tensor(x, dtype=torch.long) for x in (order, starts, [places[i] for i in range(n)]))
