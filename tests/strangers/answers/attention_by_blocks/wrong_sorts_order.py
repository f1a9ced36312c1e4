# Wrong: sorts the order in place to visit memory forwards, and so changes the caller's list.
# Breaks: "Arguments stay as they are, and results are new memory."
import torch


def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k = len(q), len(k)
    order.sort()
    state = None
    last = torch.arange(n_q)[:, None] + n_k - n_q
    for b in order:
        keys = slice(b * tile_n, (b + 1) * tile_n)
        columns = torch.arange(n_k)[keys]
        mask = columns <= last if causal else None
        part = attention_block(q, k[keys], v[keys], mask, scale)
        state = part if state is None else merge_blocks(*state, *part)
    o, m, l = state
    return o, m + l.log()
