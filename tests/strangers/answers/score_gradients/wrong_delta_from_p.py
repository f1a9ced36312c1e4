# Wrong: delta is taken from P and dP, which have only the keys at hand.
# Breaks: "N keys, which need not be all the keys there are", "delta_i = sum_c dO_ic O_ic".
import torch


def score_gradients(p, v, o, do):
    dp = do @ v.T
    return p * (dp - (p * dp).sum(dim=1, keepdim=True))
