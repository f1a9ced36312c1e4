# WRONG: a loop over all pairs of query and key, M N operations of torch and more ("at most 100 + 40 (M + N)")
import torch
from torch import Tensor


def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    ds = torch.zeros_like(p)
    for i in range(p.shape[0]):
        delta = torch.dot(do[i], o[i])
        for j in range(p.shape[1]):
            ds[i, j] = p[i, j] * (torch.dot(do[i], v[j]) - delta)
    return ds
