# Wrong: subtracts one maximum of all rows, so that rows far below it underflow to an empty block.
# Breaks: "L = log(e^L1 + e^L2), of any size".
import torch


def merge_lse(o1, L1, o2, L2):
    top = torch.maximum(L1, L2).max() if len(L1) else L1.new_zeros(())
    top = torch.where(torch.isneginf(top), torch.zeros_like(top), top)
    w1, w2 = torch.exp(L1 - top), torch.exp(L2 - top)
    total = w1 + w2
    d = torch.where(total == 0, torch.ones_like(total), total)
    o = (w1 / d)[:, None] * o1 + (w2 / d)[:, None] * o2
    return o, top + torch.log(total)
