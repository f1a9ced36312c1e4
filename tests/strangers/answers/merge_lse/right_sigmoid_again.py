# Honest: the weights are sigmoids of the difference, the log-sum-exp is a softplus; torch.lerp-like form.
import torch
from torch import Tensor



def merge_lse(o1, L1, o2, L2):
    both_empty = torch.isneginf(L1) & torch.isneginf(L2)
    gap = torch.where(both_empty, torch.zeros_like(L1), L1 - L2)
    share = torch.sigmoid(gap).unsqueeze(1)
    rest = torch.sigmoid(-gap).unsqueeze(1)
    top = torch.maximum(L1, L2)
    L = top + torch.log1p(torch.exp(-gap.abs()))
    L = torch.where(both_empty, top, L)
    return share * o1 + rest * o2, L
