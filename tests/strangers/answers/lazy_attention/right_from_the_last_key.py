# Right: walks along the keys from the last tile to the first, skips tiles that nobody sees, updates acc and l in place, statistics with a kept axis.
def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    offset = n_k - n_q
    o = q.new_zeros(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        heads, rows, _ = q_tile.shape
        acc = o[:, i : i + rows]
        m, l = q.new_full((heads, rows, 1), -torch.inf), q.new_zeros(heads, rows, 1)
        for j in reversed(range(0, n_k, tile_n)):
            if causal and j > i + rows - 1 + offset:
                continue
            S = torch.bmm(q_tile, k[:, j : j + tile_n].transpose(1, 2)).mul_(scale)
            if causal and j + S.shape[2] - 1 > i + offset:
                distance = torch.arange(j, j + S.shape[2]) - torch.arange(i, i + rows)[:, None]
                S.masked_fill_(distance > offset, -torch.inf)
            higher = torch.maximum(m, S.amax(dim=2, keepdim=True))
            base = higher.masked_fill(higher == -torch.inf, 0.0)
            S.sub_(base).exp_()
            shrink = (m - base).exp_()
            l.mul_(shrink).add_(S.sum(dim=2, keepdim=True))
            acc.mul_(shrink).add_(torch.bmm(S, v[:, j : j + tile_n]))
            m = higher
        acc.div_(l.masked_fill(l == 0, 1.0))
    return o
