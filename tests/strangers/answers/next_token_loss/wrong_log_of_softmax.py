# wrong: log(softmax): infinite where the right token lies 104 or more behind
import torch


def next_token_loss(logits, tokens):
    p = torch.softmax(logits[:, :-1], dim=-1)
    return -torch.log(p.gather(-1, tokens[:, 1:, None])).mean()
