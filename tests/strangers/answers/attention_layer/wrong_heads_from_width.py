# Wrong: takes D // d for the number of heads, as nanoGPT's n_embd // n_head.
# Breaks: "W_q (H d, D) ... W_o (D, H d)": H d need not be D.
import torch
import torch.nn.functional as F


def attention_layer(x, weights, d, positions, frequencies, biases=None, attend=None):
    attend = attend or causal_attention
    w_q, w_k, w_v, w_o = weights
    B, N, D = x.shape
    b_q, b_k, b_v = biases if biases is not None else (None, None, None)
    q = F.linear(x, w_q, b_q).view(B, N, D // d, d).transpose(1, 2)
    k = F.linear(x, w_k, b_k).view(B, N, -1, d).transpose(1, 2)
    v = F.linear(x, w_v, b_v).view(B, N, -1, d).transpose(1, 2)
    q, k = rotate(q, positions, frequencies), rotate(k, positions, frequencies)
    o = attend(q, k, v)
    return F.linear(o.transpose(1, 2).reshape(B, N, D), w_o)
