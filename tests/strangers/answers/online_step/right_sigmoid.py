# style: mathematician: the weight of the past is a sigmoid, torch.lerp mixes
import torch
from torch import Tensor


def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    hidden = s == -float("inf")
    gap = torch.where(hidden, torch.zeros_like(s), m - torch.where(hidden, torch.zeros_like(s), s))
    past = torch.sigmoid(gap + torch.log(l)).masked_fill(hidden, 1.0)
    now = torch.sigmoid(-gap - torch.log(l)).masked_fill(hidden, 0.0)
    top = torch.max(torch.stack([m, s]), dim=0).values
    unit = top.masked_fill(top == -float("inf"), 0)
    return torch.einsum("r,rc->rc", past, o) + torch.outer(now, v), top, l * (m - unit).exp() + (s - unit).exp()
