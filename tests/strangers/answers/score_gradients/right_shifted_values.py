# style: mathematician: dP - delta = dO (v_j - o_i), by one augmented product
import torch
from torch import Tensor


def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    ones = v.new_ones(len(v), 1)
    left = torch.cat([do, -torch.linalg.vecdot(do, o)[:, None]], dim=1)
    return p.mul(left.mm(torch.cat([v, ones], dim=1).t()))
