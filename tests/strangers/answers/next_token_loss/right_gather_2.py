# style: log-sum-exp minus the gathered logit
import torch


def next_token_loss(logits, tokens):
    z, t = logits[:, :-1], tokens[:, 1:]
    return (z.logsumexp(-1) - z.gather(-1, t.unsqueeze(-1)).squeeze(-1)).mean()
