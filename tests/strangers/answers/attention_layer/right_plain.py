# style: one helper for projection, bias and heads
import torch


def attention_layer(x, weights, d, positions, frequencies, biases=None, attend=None):
    attend = attend or causal_attention
    w_q, w_k, w_v, w_o = weights
    b_q, b_k, b_v = biases if biases is not None else (0, 0, 0)

    def heads(w, b):
        return (x @ w.T + b).unflatten(-1, (-1, d)).transpose(1, 2)

    q, k, v = heads(w_q, b_q), heads(w_k, b_k), heads(w_v, b_v)
    o = attend(rotate(q, positions, frequencies), rotate(k, positions, frequencies), v)
    return o.transpose(1, 2).flatten(2) @ w_o.T
