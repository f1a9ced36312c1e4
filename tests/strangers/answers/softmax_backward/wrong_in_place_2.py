# Wrong: multiplies dp in place, to save memory.
# Breaks: "Arguments stay as they are, and results are new memory."
import torch


def softmax_backward(p, dp):
    ds = dp.mul_(p)
    return ds - p * ds.sum(dim=-1, keepdim=True)
