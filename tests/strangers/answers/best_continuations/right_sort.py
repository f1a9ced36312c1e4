# style: torch.sort stable, divmod on tensors, log_softmax from the library
import torch
from torch import Tensor


def best_continuations(scores: Tensor, logits: Tensor, n: int) -> tuple[Tensor, Tensor, Tensor]:
    B, V = logits.shape
    logp = torch.log_softmax(logits.double(), dim=1)
    total = scores.double()[:, None] + logp
    total = total.masked_fill(logits == -torch.inf, -torch.inf).flatten()
    order = torch.sort(total, descending=True, stable=True).indices[:n]
    order = order[total[order] > -torch.inf]
    beam = torch.div(order, V, rounding_mode="floor")
    return total[order].to(scores.dtype), beam, order % V
