# Wrong: adds the biases to queries and keys that are turned already.
# Breaks: "biases: ... added to what W_q, W_k, W_v give".
import torch


def attention_layer(x, weights, d, positions, frequencies, biases=None, attend=None):
    attend = attend or causal_attention
    w_q, w_k, w_v, w_o = weights
    q, k, v = ((x @ w.T).unflatten(2, (-1, d)).transpose(1, 2) for w in (w_q, w_k, w_v))
    q, k = rotate(q, positions, frequencies), rotate(k, positions, frequencies)
    if biases is not None:
        q, k, v = (a + b.view(1, -1, 1, d) for a, b in zip((q, k, v), biases))
    return attend(q, k, v).transpose(1, 2).flatten(2) @ w_o.T
