# Wrong: queries and keys get their biases, the values do not.
def attention_layer(x, weights, d, positions, frequencies, biases=None, attend=None):
    attend = attend or causal_attention
    q, k, v = [x @ w.T for w in weights[:3]]
    if biases is not None:
        q, k = q + biases[0], k + biases[1]
    q, k, v = (r.unflatten(-1, (-1, d)).transpose(1, 2) for r in (q, k, v))
    o = attend(rotate(q, positions, frequencies), rotate(k, positions, frequencies), v)
    return o.transpose(1, 2).flatten(2) @ weights[3].T
