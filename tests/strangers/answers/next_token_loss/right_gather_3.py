# style: torch.logsumexp, gather, llm.c comments
import torch
from torch import Tensor


def next_token_loss(logits: Tensor, tokens: Tensor) -> Tensor:
    # targets are the inputs shifted by one
    z, t = logits[:, :-1, :], tokens[:, 1:]
    logsumexp = torch.logsumexp(z, dim=-1)
    picked = torch.gather(z, dim=-1, index=t.unsqueeze(-1)).squeeze(-1)
    return torch.mean(logsumexp - picked)
