# Against memory: the N x N scores as Python's floats.
import torch
from torch import Tensor



import math


def attention_by_blocks(
    q: Tensor, k: Tensor, v: Tensor, order: list[int], tile_n: int, causal: bool = False, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    scores = [[float(s) for s in scale * (k @ row)] for row in q]
    o, L = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf)
    for i, row in enumerate(scores):
        row = row[: max(0, i + n_k - n_q + 1)] if causal else row
        if row:
            m = max(row)
            p = torch.tensor([math.exp(s - m) for s in row])
            o[i], L[i] = p @ v[: len(row)] / p.sum(), m + torch.log(p.sum())
    return o, L
