# einsum over weights cut into heads; the output matrix sums over head and column
def attention_layer(x, weights, d, positions, frequencies, biases=None, attend=None):
    attend = attend or causal_attention
    w_q, w_k, w_v, w_o = weights

    q, k, v = (torch.einsum("bnc,hec->bhne", x, w.unflatten(0, (-1, d))) for w in (w_q, w_k, w_v))
    if biases is not None:
        b_q, b_k, b_v = (b.reshape(-1, 1, d) for b in biases)
        q, k, v = q + b_q, k + b_k, v + b_v
    turned = [rotate(part, positions, frequencies) for part in (q, k)]
    o = attend(turned[0], turned[1], v)
    return torch.einsum("bhne,che->bnc", o, w_o.unflatten(1, (-1, d)))
