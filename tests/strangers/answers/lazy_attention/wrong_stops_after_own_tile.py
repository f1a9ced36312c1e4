# Ends the keys of a causal tile at i + tile_n + N_k - N_q, where tile_m belongs: keys are lost as soon as a tile has more queries than keys.
def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    tiles = []
    for i in range(0, n_q, tile_m):
        qt = q[:, i : i + tile_m]
        rows = torch.arange(i, i + qt.shape[1])[:, None]
        m = torch.full_like(qt[..., :1], -torch.inf)
        l = torch.zeros_like(m)
        acc = torch.zeros_like(qt[..., :1]) * v[:, :1]
        end = max(0, min(n_k, i + tile_n + n_k - n_q)) if causal else n_k
        for j in range(0, end, tile_n):
            s = scale * torch.matmul(qt, k[:, j : j + tile_n].transpose(-2, -1))
            if causal:
                cols = torch.arange(j, j + s.shape[2])
                s = s.masked_fill(cols > rows + n_k - n_q, -torch.inf)
            new = torch.maximum(m, s.max(dim=-1, keepdim=True)[0])
            ref = torch.nan_to_num(new, neginf=0.0)
            a, p = (m - ref).exp(), (s - ref).exp()
            l, acc, m = a * l + p.sum(-1, keepdim=True), a * acc + p @ v[:, j : j + tile_n], new
        tiles.append(acc / torch.where(l > 0, l, 1))
    return torch.cat(tiles, 1)
