# Wrong: the queries are divided by the root of d before an attention that does it too.
def attention_layer(x, weights, d, positions, frequencies, biases=None, attend=None):
    attend = attend or causal_attention
    rows = [x @ w.T for w in weights[:3]]
    if biases is not None:
        rows = [r + b for r, b in zip(rows, biases)]
    q, k, v = (r.unflatten(-1, (-1, d)).transpose(1, 2) for r in rows)
    o = attend(rotate(q, positions, frequencies) / d**0.5, rotate(k, positions, frequencies), v)
    return o.transpose(1, 2).flatten(2) @ weights[3].T
