# Right: einsum over matrices that are cut into heads first, and not the rows.
def attention_layer(x, weights, d, positions, frequencies, biases=None, attend=None):
    attend = attend or causal_attention
    heads = [w.unflatten(0, (-1, d)) for w in weights[:3]]
    q, k, v = (torch.einsum("bnc,hdc->bhnd", x, w) for w in heads)
    if biases is not None:
        q, k, v = (y + b.view(-1, 1, d) for y, b in zip((q, k, v), biases))
    o = attend(rotate(q, positions, frequencies), rotate(k, positions, frequencies), v)
    return torch.einsum("bhnd,chd->bnc", o, weights[3].unflatten(1, (-1, d)))
