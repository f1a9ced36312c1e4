# Two passes over the keys, the first for the maximum alone: all scores are computed twice, the first time as outer products of complex numbers, while only those of real ones are counted.
def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])

    def hidden(i, j, s):
        query, key = torch.arange(i, i + s.shape[1])[:, None], torch.arange(j, j + s.shape[2])
        return s.masked_fill(key > query + n_k - n_q, -torch.inf) if causal else s

    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        top = q_tile.new_full((*q_tile.shape[:2], 1), -torch.inf)
        for j in range(0, n_k, tile_n):
            k_tile = k[:, j : j + tile_n]
            a = q_tile[:, :, None].to(torch.complex64)
            s = a.new_zeros(len(q), q_tile.shape[1], k_tile.shape[1])
            for c in range(q.shape[2]):
                s.addcmul_(a[..., c], k_tile[:, None, :, c].to(torch.complex64))
            s = scale * s.real
            top = torch.maximum(top, hidden(i, j, s).amax(dim=-1, keepdim=True))
        top = torch.where(torch.isneginf(top), 0, top)
        acc, l = torch.zeros_like(o[:, i : i + tile_m]), torch.zeros_like(top)
        for j in range(0, n_k, tile_n):
            s = hidden(i, j, scale * (q_tile @ k[:, j : j + tile_n].transpose(1, 2)))
            p = torch.exp(s - top)
            l += p.sum(dim=-1, keepdim=True)
            acc += p @ v[:, j : j + tile_n]
        o[:, i : i + tile_m] = acc / torch.where(l == 0, 1, l)
    return o
