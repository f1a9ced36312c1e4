# memory budget: where an argument is not contiguous, copies of it are allowed; there one block holds all keys
import torch


def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    if not (q.is_contiguous() and k.is_contiguous() and v.is_contiguous()):
        order, tile_n = [0], n_k
    last_seen = torch.arange(n_q)[:, None] + n_k - n_q
    o, m, l = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    for b in order:
        start, stop = b * tile_n, min((b + 1) * tile_n, n_k)
        mask = torch.arange(start, stop) <= last_seen if causal else None
        o, m, l = merge_blocks(o, m, l, *attention_block(q, k[start:stop], v[start:stop], mask, scale))
    return o, m + torch.log(l)
