# The numbers leave torch, where memory is measured: lexsort by rank and token in numpy, searchsorted for the starts.
import numpy as np
import torch
from torch import Tensor


def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    tokens = np.arange(n)
    if layout == "zigzag":
        edges = np.array([n * c // (2 * size) for c in range(2 * size + 1)])
        chunk = np.searchsorted(edges, tokens, side="right") - 1
        owner = np.where(chunk < size, chunk, 2 * size - 1 - chunk)
    else:
        owner = tokens % size
    order = np.lexsort((tokens, owner)).astype(np.int64)
    starts = np.searchsorted(owner[order], np.arange(size + 1)).astype(np.int64)
    inverse = np.empty(n, np.int64)
    inverse[order] = tokens
    return tuple(torch.from_numpy(x) for x in (order, starts, inverse))
