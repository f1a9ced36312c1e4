# Right: only the rows that see a chunk's first key take part; the chunk is reduced to an output and a pair of its own and mixed in by shares.
def online_attention(q, k, v, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q, 1), -torch.inf), q.new_zeros(n_q, 1)
    for start in range(0, n_k, tile_n):
        first = max(0, start - (n_k - n_q)) if causal else 0
        if first >= n_q:
            break
        s = torch.mm(q[first:], k[start : start + tile_n].T).mul_(scale)
        if causal:
            ahead = torch.arange(start, start + s.shape[1]) - torch.arange(first, n_q)[:, None]
            s.masked_fill_(ahead > n_k - n_q, -torch.inf)
        here = s.amax(dim=1, keepdim=True)  # finite: every row from `first` on sees key `start`
        p = torch.exp(s - here)
        weight = p.sum(dim=1, keepdim=True)
        mean = (p @ v[start : start + tile_n]) / weight
        top = torch.maximum(m[first:], here)
        old, new = l[first:] * torch.exp(m[first:] - top), weight * torch.exp(here - top)
        total = old + new
        o[first:] = (old / total) * o[first:] + (new / total) * mean
        m[first:], l[first:] = top, total
    return o
