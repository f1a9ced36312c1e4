# Eps is added to the root instead of under it, which shows for small rows.
import torch


def rms_norm(x, weight, eps):
    wide = x.float()
    root = wide.pow(2).mean(dim=-1, keepdim=True).sqrt()
    return (weight * (wide / (root + eps))).to(x.dtype)
