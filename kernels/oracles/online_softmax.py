"""The oracles of `online_softmax`, which have the whole row at once."""

from collections.abc import Iterable

import torch
from torch import Tensor

from kernels import reference


def stats_of_stream(stream: Iterable[Tensor]) -> tuple[Tensor, Tensor]:
    return reference.softmax_stats(torch.stack(list(stream)))


def stats_of_chunks(chunks: Iterable[Tensor]) -> tuple[Tensor, Tensor]:
    return reference.softmax_stats(torch.cat(list(chunks), dim=1))


def merged(m1: Tensor, l1: Tensor, m2: Tensor, l2: Tensor) -> tuple[Tensor, Tensor]:
    """Each pair stands for the sum l e^m; the identity, l = 0, adds nothing, whatever its m."""
    m = torch.maximum(m1, m2)
    return m, torch.where(l1 == 0, 0, l1 * torch.exp(m1 - m)) + torch.where(l2 == 0, 0, l2 * torch.exp(m2 - m))


def top_k(chunks: Iterable[Tensor], k: int) -> tuple[Tensor, Tensor]:
    x = torch.cat(list(chunks), dim=1)
    x = torch.nn.functional.pad(x, (0, max(0, k - x.shape[1])), value=-torch.inf)
    best, index = x.topk(k, dim=1)
    return reference.softmax(x).gather(1, index), torch.where(torch.isneginf(best), -1, index)
