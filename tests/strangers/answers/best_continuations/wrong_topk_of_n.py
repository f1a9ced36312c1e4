# Asks topk for n of all texts, which raises an error where there are fewer than n at all, masked ones included.
import torch
from torch import Tensor


def best_continuations(scores: Tensor, logits: Tensor, n: int) -> tuple[Tensor, Tensor, Tensor]:
    total = scores[:, None] + torch.log_softmax(logits, dim=-1)
    total = torch.where(torch.isneginf(logits), -torch.inf, total)  # NaN where all are masked
    place = torch.argsort(total.flatten(), descending=True, stable=True)
    score, _ = torch.topk(total.flatten(), n)
    m = min(n, int((score > -torch.inf).sum()))
    score, place = score[:m], place[:m]
    return score, place // logits.shape[1], place % logits.shape[1]
