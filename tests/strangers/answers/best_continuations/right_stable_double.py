# Everything in float64, one stable sort of the flattened table, divmod for beam and token.
import torch
from torch import Tensor


def best_continuations(scores: Tensor, logits: Tensor, n: int) -> tuple[Tensor, Tensor, Tensor]:
    z = logits.double()
    possible = ~torch.isneginf(z)
    total = scores.double()[:, None] + (z - z.logsumexp(dim=1, keepdim=True))
    total = torch.where(possible, total, -torch.inf).flatten()
    score, place = total.sort(descending=True, stable=True)
    m = min(n, int(possible.sum()))
    beam = torch.div(place[:m], logits.shape[1], rounding_mode="floor")
    return score[:m].to(scores.dtype), beam, place[:m] - beam * logits.shape[1]
