# Wrong: softmax attention of its own, which sees the future and never asks `attend`.
def attention_layer(x, weights, d, positions, frequencies, biases=None, attend=None):
    rows = [x @ w.T for w in weights[:3]]
    if biases is not None:
        rows = [r + b for r, b in zip(rows, biases)]
    q, k, v = (r.unflatten(-1, (-1, d)).transpose(1, 2) for r in rows)
    q, k = rotate(q, positions, frequencies), rotate(k, positions, frequencies)
    g = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
    o = torch.softmax(q @ k.mT / d**0.5, -1) @ v
    return o.transpose(1, 2).flatten(2) @ weights[3].T
