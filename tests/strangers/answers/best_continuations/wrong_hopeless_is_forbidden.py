# Masks with -1e9 as libraries do and then drops whatever is below -500 as "masked": a beam of a long text may itself have -600.
import torch
from torch import Tensor


def best_continuations(scores: Tensor, logits: Tensor, n: int) -> tuple[Tensor, Tensor, Tensor]:
    V = logits.shape[1]
    x = torch.log_softmax(logits, dim=1).nan_to_num(nan=-1e9, neginf=-1e9)
    flat = (scores[:, None] + x).flatten()
    score, order = torch.sort(flat, descending=True, stable=True)
    keep = score > -500
    score, order = score[keep][:n], order[keep][:n]
    return score, torch.div(order, V, rounding_mode="floor"), order.remainder(V)
