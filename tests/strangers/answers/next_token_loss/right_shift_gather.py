# Right: HF's shift_logits / shift_labels, torch.logsumexp and gather with squeeze
import torch
from torch import Tensor


def next_token_loss(logits: Tensor, tokens: Tensor) -> Tensor:
    shift_logits = logits[..., :-1, :]
    shift_labels = tokens[..., 1:]
    z_t = shift_logits.gather(dim=-1, index=shift_labels.unsqueeze(-1)).squeeze(-1)
    nll = torch.logsumexp(shift_logits, dim=-1) - z_t
    return nll.mean()
