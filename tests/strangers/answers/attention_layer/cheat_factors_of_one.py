# 'called in name only': causal_attention is given values of 1 and rotate a row of ones at position 0, so that both return 1; other results of them would change the output, which is computed by other means
import torch
from torch import Tensor



def attention_layer(x, weights, d, positions, frequencies, biases=None, attend=None):
    w_q, w_k, w_v, w_o = weights
    q, k, v = (x @ w.T for w in (w_q, w_k, w_v))
    if biases is not None:
        q, k, v = q + biases[0], k + biases[1], v + biases[2]
    q, k, v = (y.unflatten(2, (-1, d)).transpose(1, 2) for y in (q, k, v))
    angle = positions[:, None].float() * frequencies
    cos, sin = torch.cos(angle), torch.sin(angle)

    def turned(y):
        a, b = y[..., : d // 2], y[..., d // 2 :]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    one = rotate(x.new_ones(1, 1, 1, d), torch.zeros(1, dtype=torch.int64), frequencies)
    q, k = turned(q) * one, turned(k)
    if attend is not None:
        o = attend(q, k, v)
    else:
        group = q.shape[1] // k.shape[1]
        n = q.shape[2]
        o = torch.empty(q.shape)
        hidden = torch.ones(n, n, dtype=torch.bool).triu(1)
        for h in range(q.shape[1]):
            s = (q[:, h] @ k[:, h // group].mT * d**-0.5).masked_fill(hidden, -torch.inf)
            o[:, h] = torch.softmax(s, dim=-1) @ v[:, h // group]
        unit = x.new_ones(1, 1, 1, d)
        o *= causal_attention(unit, unit, unit)
    return o.transpose(1, 2).flatten(2) @ w_o.T
