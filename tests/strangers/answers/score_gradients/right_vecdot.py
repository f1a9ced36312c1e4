# Honest: torch.linalg.vecdot for delta, addmm with beta for dP - delta.
import torch
from torch import Tensor



def score_gradients(p, v, o, do):
    delta: Tensor = torch.linalg.vecdot(o, do, dim=-1)
    dp = torch.addmm(-delta.unsqueeze(1), do, v.t())
    return dp.mul_(p)
