# Right: Python's sorted with a key over tuples from tensors in float64 (tolist), islice, dataclass(order=True)
from dataclasses import dataclass, field
from heapq import nsmallest

import torch
from torch import Tensor


@dataclass(order=True, frozen=True)
class Candidate:
    loss: float
    beam: int
    token: int
    score: float = field(compare=False)


def best_continuations(scores: Tensor, logits: Tensor, n: int) -> tuple[Tensor, Tensor, Tensor]:
    """The n >= 1 likeliest texts that are one of the beams and a token more."""
    z = logits.double()
    may = z.isneginf().logical_not()
    L = torch.where(may.any(dim=1), z.logsumexp(dim=1), 0.0)
    total = scores.double()[:, None] + (z - L[:, None])
    beams, tokens = (x.tolist() for x in may.nonzero(as_tuple=True))
    values = total[may].tolist()
    best = nsmallest(n, (Candidate(-x, b, t, x) for x, b, t in zip(values, beams, tokens)))
    return (
        torch.tensor([c.score for c in best], dtype=torch.float32),
        torch.tensor([c.beam for c in best], dtype=torch.int64),
        torch.tensor([c.token for c in best], dtype=torch.int64),
    )
