# Right: log_softmax, flattened stable descending sort, torch.div with rounding_mode, isneginf filter
import torch
from torch import Tensor


def best_continuations(scores: Tensor, logits: Tensor, n: int) -> tuple[Tensor, Tensor, Tensor]:
    V = logits.shape[1]
    log_p = torch.log_softmax(logits, dim=-1)
    total = (scores[:, None] + log_p).masked_fill(logits.isneginf(), -torch.inf).flatten()
    value, flat = torch.sort(total, descending=True, stable=True)
    m = min(n, int((value > -torch.inf).sum()))
    value, flat = value[:m], flat[:m]
    return value, torch.div(flat, V, rounding_mode="floor"), flat % V
