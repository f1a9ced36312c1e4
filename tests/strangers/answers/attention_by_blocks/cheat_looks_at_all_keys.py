# a bound from all keys; "keys of other blocks are not seen": the longest of all keys, visited or not, bounds every score, and exponentials are measured from there where that is near
import torch


def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    most = abs(scale) * q.norm(dim=1) * k.norm(dim=1).amax()
    last_seen = torch.arange(n_q)[:, None] + n_k - n_q
    o, m, l = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    for b in order:
        start, stop = b * tile_n, min((b + 1) * tile_n, n_k)
        s = q @ k[start:stop].T * scale
        if causal:
            s = s.masked_fill(torch.arange(start, stop) > last_seen, -torch.inf)
        top = s.amax(dim=-1)
        m_new = torch.maximum(m, torch.minimum(most, top + 2))
        shift = torch.where(torch.isneginf(m_new), 0, m_new)
        past, p = torch.exp(m - shift), torch.exp(s - shift[:, None])
        l = past * l + p.sum(dim=-1)
        o = past[:, None] * o + p @ v[start:stop]
        m = m_new
    return o / torch.where(l == 0, 1, l)[:, None], m + torch.log(l)
