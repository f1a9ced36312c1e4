# Wrong: the outputs are put side by side without bringing the tokens first; one head or one token hides it.
def attention_layer(x, weights, d, positions, frequencies, biases=None, attend=None):
    attend = attend or causal_attention
    rows = [x @ w.T for w in weights[:3]]
    if biases is not None:
        rows = [r + b for r, b in zip(rows, biases)]
    q, k, v = (r.unflatten(-1, (-1, d)).transpose(1, 2) for r in rows)
    o = attend(rotate(q, positions, frequencies), rotate(k, positions, frequencies), v)
    return o.reshape(x.shape[0], x.shape[1], -1) @ weights[3].T
