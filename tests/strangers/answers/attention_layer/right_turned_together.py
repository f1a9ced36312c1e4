# queries and keys are joined along the heads and turned at once; W_o by einsum
def attention_layer(x, weights, d, positions, frequencies, biases=None, attend=None):
    attend = attend or causal_attention
    w_q, w_k, w_v, w_o = weights
    b_q, b_k, b_v = biases or (0, 0, 0)
    B, N, D = x.shape
    q = (x @ w_q.T + b_q).view(B, N, -1, d).transpose(1, 2)
    k = (x @ w_k.T + b_k).view(B, N, -1, d).transpose(1, 2)
    v = (x @ w_v.T + b_v).view(B, N, -1, d).transpose(1, 2)
    qk = rotate(torch.cat([q, k], dim=1), positions, frequencies)
    o = attend(qk[:, : q.shape[1]], qk[:, q.shape[1] :], v)
    return torch.einsum("bhnd,ohd->bno", o, w_o.view(D, -1, d))
