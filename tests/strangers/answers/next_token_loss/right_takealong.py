# Right: nanoGPT's shift by one, torch.take_along_dim and torch.logsumexp.
import torch


def next_token_loss(logits, tokens):
    predictions, targets = logits[:, :-1, :], tokens[:, 1:, None]
    right = torch.take_along_dim(predictions, targets, dim=-1).squeeze(-1)
    return torch.sub(torch.logsumexp(predictions, dim=-1), right).mean()
