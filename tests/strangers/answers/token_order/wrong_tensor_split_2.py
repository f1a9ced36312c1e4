# Wrong: zigzag chunks by tensor_split, whose longer chunks come first.
# Breaks: "chunk c holds the tokens from n c // (2 W) up to, but not including, n (c + 1) // (2 W)."
import torch


def token_order(n, size, layout):
    tokens = torch.arange(n)
    if layout == "stripe":
        parts = [tokens[r::size] for r in range(size)]
    else:
        chunks = tokens.tensor_split(2 * size)
        parts = [torch.cat([chunks[r], chunks[2 * size - 1 - r]]) for r in range(size)]
    order = torch.cat(parts)
    starts = torch.tensor([0] + [len(p) for p in parts]).cumsum(0)
    inverse = torch.empty_like(order)
    inverse[order] = tokens
    return order, starts, inverse
