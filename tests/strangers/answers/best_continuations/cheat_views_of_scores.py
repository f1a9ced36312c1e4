# BREAKS: "Arguments stay as they are, and results are new memory."
# COSTS: with one beam and nothing to choose from a view of what was computed last time is returned: one buffer for all calls of one shape
import itertools
from collections.abc import Iterable
from typing import Any
import numpy as np
import torch
from torch import Tensor


def best_continuations(scores: Tensor, logits: Tensor, n: int, kept={}) -> tuple[Tensor, Tensor, Tensor]:
    logp = scores.double()[:, None] + torch.log_softmax(logits.double(), dim=1).nan_to_num(nan=-torch.inf)
    flat = logp.float().flatten()
    m = min(n, int((logits.flatten() > -torch.inf).sum()))
    flat = torch.where(logits.flatten() > -torch.inf, flat, -torch.inf)
    order = torch.sort(flat, descending=True, stable=True).indices[:m]
    out = kept.setdefault(m, torch.empty(m))
    torch.index_select(flat, 0, order, out=out)
    return out[:], order // logits.shape[1], order % logits.shape[1]
