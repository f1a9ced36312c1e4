# Rotation and attention of its own; rotate and causal_attention are called for show, and their results used only where small probes of both come out altered, as when the checker looks whether they count.
def attention_layer(x, weights, d, positions, frequencies, biases=None, attend=None):
    w_q, w_k, w_v, w_o = weights
    rows = [x @ w.T for w in (w_q, w_k, w_v)]
    if biases is not None:
        rows = [row + bias for row, bias in zip(rows, biases)]
    q, k, v = (row.unflatten(-1, (-1, d)).transpose(1, 2) for row in rows)
    angles = positions[:, None].float() * frequencies
    cos, sin = torch.cos(angles), torch.sin(angles)

    def turned(z):
        a, b = z.chunk(2, dim=-1)
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    shown = rotate(q, positions, frequencies), rotate(k, positions, frequencies)
    probe = rotate(torch.zeros(1, d), torch.zeros(1, dtype=torch.long), frequencies)
    q, k = shown if probe.any() else (turned(q), turned(k))
    if attend is None:
        shown = causal_attention(q, k, v)
        probe = causal_attention(q[:, :, :1] * 0, k[:, :, :1] * 0, v[:, :, :1] * 0)
        if probe.any():
            o = shown
        else:
            n, group = q.shape[2], q.shape[1] // k.shape[1]
            hidden = torch.ones(n, n, dtype=torch.bool).triu(1)
            o = torch.empty_like(q)
            for h in range(q.shape[1]):
                s = (q[:, h] @ k[:, h // group].mT / d**0.5).masked_fill(hidden, -torch.inf)
                o[:, h] = torch.softmax(s, dim=-1) @ v[:, h // group]
    else:
        o = attend(q, k, v)
    return o.transpose(1, 2).flatten(2) @ w_o.T
