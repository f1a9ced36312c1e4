# Puts the three matrices one below the other at each call. Breaks "Memory: beside what attend takes, queries, keys, values and outputs a few times" (a copy of the weights).
import math

import numpy as np
import torch
from torch import Tensor


def attention_layer(x, weights, d, positions, frequencies, biases=None, attend=None):
    attend = attend or causal_attention
    w_q, w_k, w_v, w_o = weights
    y = x @ torch.cat([w_q, w_k, w_v]).T
    if biases is not None:
        y = y + torch.cat(list(biases))
    q, k, v = (z.unflatten(2, (-1, d)).transpose(1, 2) for z in y.split([len(w_q), len(w_k), len(w_v)], dim=2))
    o = attend(rotate(q, positions, frequencies), rotate(k, positions, frequencies), v)
    return o.transpose(1, 2).flatten(2) @ w_o.T
