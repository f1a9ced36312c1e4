"""The oracles of `sampling`: of the filter and the draw. Those of answers that share blocks are in `answers`."""

from collections.abc import Iterable

import torch
from torch import Tensor


def kept(chunks: Iterable[Tensor], temperature: float, k: int, p: float) -> tuple[Tensor, Tensor]:
    """The filter, which has the whole row at once."""
    x = torch.cat(list(chunks), dim=1)
    x = torch.nn.functional.pad(x, (0, max(0, k - x.shape[1])), value=-torch.inf)
    best, index = (part[:, :k] for part in x.sort(dim=1, descending=True, stable=True))
    if temperature == 0:
        best[:, 1:] = -torch.inf
    share = shares(best, temperature or 1.0)
    stays = ~torch.isneginf(best) & ((share.cumsum(1) - share < p) | (p >= 1))
    return shares(torch.where(stays, best, -torch.inf), temperature or 1.0), torch.where(stays, index, -1)


def shares(x: Tensor, temperature: float) -> Tensor:
    """Softmax of x / temperature along the rows; 0 where all is masked. x: the largest of each row is its first."""
    top = x[:, :1]
    weight = torch.where(torch.isneginf(x), 0, torch.exp((x - torch.where(torch.isneginf(top), 0, top)) / temperature))
    return weight / weight.sum(1, keepdim=True).clip(min=1)


def drawn_tokens(p: Tensor, index: Tensor, u: Tensor) -> Tensor:
    """The draw, slot by slot."""
    found = torch.full_like(u, -1, dtype=torch.int64)
    for row in range(len(p)):
        total = 0.0
        for share, token in zip(p[row].tolist(), index[row].tolist()):
            if share > 0 and total <= u[row]:  # the last one that is likely at all, if rounding leaves none
                found[row] = token
            total += share
    return found
