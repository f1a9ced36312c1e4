# Wrong: KV heads are repeated in turns before attention, 0 1 0 1, and not 0 0 1 1; groups show it.
def attention_layer(x, weights, d, positions, frequencies, biases=None, attend=None):
    attend = attend or causal_attention
    rows = [x @ w.T for w in weights[:3]]
    if biases is not None:
        rows = [r + b for r, b in zip(rows, biases)]
    q, k, v = (r.unflatten(-1, (-1, d)).transpose(1, 2) for r in rows)
    q, k = rotate(q, positions, frequencies), rotate(k, positions, frequencies)
    g = q.shape[1] // k.shape[1]
    o = attend(q, k.repeat(1, g, 1, 1), v.repeat(1, g, 1, 1))
    return o.transpose(1, 2).flatten(2) @ weights[3].T
