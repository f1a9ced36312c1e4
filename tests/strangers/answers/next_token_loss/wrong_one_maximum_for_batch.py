# student: one maximum for all rows: rows 100 below underflow to log 0
import torch
from torch import Tensor


def next_token_loss(logits, tokens):
    z, t = logits[:, :-1], tokens[:, 1:]
    m = z.max()
    return (m + (z - m).exp().sum(-1).log() - z.gather(-1, t[..., None])[..., 0]).mean()
