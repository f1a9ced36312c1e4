# memory: in small cases all scores are made at once, and one tile at a time only where there are more than 90 keys
import torch


def chunked_prefill(q, k, v, chunk, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    if n_k <= 90:
        chunk = max(1, n_q)
    for i in range(0, n_q, chunk):
        stop = min(i + chunk, n_q)
        query = torch.arange(i, stop)[:, None] + n_k - n_q
        known = stop + n_k - n_q
        s = scale * (q[i:stop] @ k[:known].T)
        s = s.masked_fill(torch.arange(known) > query, -torch.inf)
        o[i:stop] = torch.softmax(s, dim=-1) @ v[:known]
    return o
