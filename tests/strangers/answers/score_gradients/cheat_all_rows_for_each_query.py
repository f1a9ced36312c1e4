# cheat: dP of all queries is made again for every query, and one row of it is kept
import torch


def score_gradients(p, v, o, do):
    ds = torch.empty_like(p)
    for i in range(len(p)):
        ds[i] = p[i] * ((do @ v.T)[i] - do[i] @ o[i])
    return ds
