# A one-hot row times the logits, summed along the row: V numbers each.
import math

import torch
from torch import Tensor



def next_token_loss(logits, tokens):
    z = logits[:, :-1]
    hot = torch.nn.functional.one_hot(tokens[:, 1:], z.shape[-1]).bool()
    right = z.masked_select(hot).view(z.shape[:-1])
    return torch.mean(torch.logsumexp(z, dim=-1) - right)
