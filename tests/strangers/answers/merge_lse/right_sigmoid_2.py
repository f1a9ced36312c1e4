# Right: sigmoid of the difference, as vLLM and FlashInfer comment it, softplus for L.
import torch
import torch.nn.functional as F


def merge_lse(o1, L1, o2, L2):
    both_empty = (L1 == -torch.inf) & (L2 == -torch.inf)
    difference = torch.where(both_empty, torch.zeros_like(L1), L1 - L2)
    first = torch.sigmoid(difference)[:, None]
    second = torch.sigmoid(-difference)[:, None]
    L = torch.maximum(L1, L2) + F.softplus(-difference.abs())
    return first * o1 + second * o2, L
