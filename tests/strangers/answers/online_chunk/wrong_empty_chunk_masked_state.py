# assistant: resets a row whose chunk is masked whole
import torch
from torch import Tensor


def online_chunk(o, m, l, s, v):
    rows = []
    new = torch.cat([m[:, None], s], 1).amax(1)
    ref = torch.where(torch.isneginf(new), 0.0, new)
    w = torch.cat([(l * torch.exp(m - ref))[:, None], torch.exp(s - ref[:, None])], 1)
    total = w.sum(1)
    w = w / torch.where(total == 0, 1.0, total)[:, None]
    dead = torch.isneginf(s).all(1)
    return torch.where(dead[:, None], 0.0, w[:, :1] * o + w[:, 1:] @ v), new, total
