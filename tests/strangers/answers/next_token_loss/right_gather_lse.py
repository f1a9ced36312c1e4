# Torch.logsumexp and take_along_dim, on slices without copies.
import torch
from torch import Tensor


def next_token_loss(logits: Tensor, tokens: Tensor) -> Tensor:
    forecasts, targets = logits[:, :-1], tokens[:, 1:].unsqueeze(-1)
    right = torch.take_along_dim(forecasts, targets, dim=-1).squeeze(-1)
    return torch.mean(torch.logsumexp(forecasts, dim=-1) - right)
