# Right: torch.linalg.vecdot for the number per row, torch.sub with out of its own.
import torch


def softmax_backward(p, dp):
    average = torch.linalg.vecdot(p, dp, dim=-1)
    return torch.mul(p, torch.sub(dp, average.unsqueeze(-1)))
