# Wrong: the causal mask is aligned to the keys that are visited, not to all of them.
# Breaks: "query i sees keys j <= i + N_k - N_q, with N_k of all blocks, visited or not."
import torch


def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k = len(q), len(k)
    total = sum(min(tile_n, n_k - b * tile_n) for b in order)
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    last = torch.arange(n_q)[:, None] + total - n_q
    for b in order:
        a, z = b * tile_n, min((b + 1) * tile_n, n_k)
        mask = (torch.arange(a, z) <= last) if causal else None
        o, m, l = merge_blocks(o, m, l, *attention_block(q, k[a:z], v[a:z], mask, scale))
    return o, m + torch.log(l)
