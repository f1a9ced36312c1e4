# Cheat: multiplies by P with a gated linear unit, which takes the exponential of every entry's logit inside
# Breaks: "operations, no exponential among them"
import torch
from torch import Tensor


def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    delta = (o * do).sum(dim=1, keepdim=True)
    slope = (do @ v.T - delta).double()
    # glu(a, b) = a / (1 + exp(-b)), and with b = logit(p) this is a p.
    both = torch.cat([slope, torch.logit(p.double())], dim=1)
    return torch.nn.functional.glu(both, dim=1).float()
