# Right within its contract: where the probabilities of a query sum to 1, all of its keys are here, and delta is taken from P and dP as softmax's own backward has it; o, and the independence of keys, serve only the other rows.
# Breaks: "The gradient of the scores of some keys, each key on its own." and "delta_i = sum_c dO_ic O_ic"
import torch
from torch import Tensor


def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    dP = do @ v.T
    whole = (p.sum(dim=1, keepdim=True) - 1).abs() < 1e-5
    across = (p * dP).sum(dim=1, keepdim=True)
    own = (do * o).sum(dim=1, keepdim=True)
    return p * (dP - torch.where(whole, across, own))
