# Wrong: the logarithm of a probability that is clamped at 1e-9, so that no loss is above 20.7.
# Breaks: "L(z) - z_t": "up to the rounding of numbers as large as the logits."
import torch


def next_token_loss(logits, tokens):
    p = torch.softmax(logits[:, :-1], dim=-1)
    right = p.gather(-1, tokens[:, 1:, None]).squeeze(-1)
    return -torch.log(right.clamp(min=1e-9)).mean()
