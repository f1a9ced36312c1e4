# 'it is called once for all heads': causal_attention is called for every KV head by itself; how many numbers it returns is bounded below, and how often it is called is not bounded above
import torch

def attention_layer(x, weights, d, positions, frequencies, biases=None, attend=None):
    w_q, w_k, w_v, w_o = weights
    rows = [x @ w.T for w in (w_q, w_k, w_v)]
    if biases is not None:
        rows = [row + bias for row, bias in zip(rows, biases)]
    q, k, v = (row.unflatten(-1, (-1, d)).transpose(1, 2) for row in rows)
    q, k = rotate(q, positions, frequencies), rotate(k, positions, frequencies)
    if attend is not None:
        o = attend(q, k, v)
    else:
        group = q.shape[1] // k.shape[1]
        o = torch.cat(
            [causal_attention(q[:, h : h + 1], k[:, h // group : h // group + 1], v[:, h // group : h // group + 1])
             for h in range(q.shape[1])], dim=1)
    return o.transpose(1, 2).flatten(2) @ w_o.T
