# The causal mask numbers keys by the position of the block in the order of visits, not by its own number.
import torch


def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    for turn, b in enumerate(order):
        keys, values = k[b * tile_n : (b + 1) * tile_n], v[b * tile_n : (b + 1) * tile_n]
        s = scale * q @ keys.T
        if causal:
            columns = torch.arange(len(keys)) + turn * tile_n
            s = s.masked_fill(columns > torch.arange(n_q)[:, None] + n_k - n_q, -torch.inf)
        top = torch.maximum(m, s.amax(dim=1))
        base = torch.where(top == -torch.inf, 0.0, top)
        p, a = torch.exp(s - base[:, None]), torch.exp(m - base)
        o, l, m = o * a[:, None] + p @ values, l * a + p.sum(dim=1), top
    return o / torch.where(l == 0, 1.0, l)[:, None], m + torch.log(l)
