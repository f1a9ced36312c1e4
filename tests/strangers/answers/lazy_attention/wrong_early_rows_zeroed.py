# Zeroes the first N_q - N_k rows, with a mask or without one.
def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        a = q[:, i : i + tile_m]
        m, l, acc = a.new_full((), -torch.inf), 0.0, 0.0
        for j in range(0, n_k, tile_n):
            s = scale * (a @ k[:, j : j + tile_n].mT)
            if causal:
                r = torch.arange(i, i + s.shape[1]).view(-1, 1)
                s = s.masked_fill(torch.arange(j, j + s.shape[2]) > r + n_k - n_q, -torch.inf)
            n = torch.maximum(m, s.amax(-1, keepdim=True))
            z = n.clamp(min=-3e38)
            f, p = torch.exp(m - z), torch.exp(s - z)
            l = l * f + p.sum(-1, keepdim=True)
            acc = acc * f + p @ v[:, j : j + tile_n]
            m = n
        o[:, i : i + tile_m] = acc / l.clamp(min=1e-30)
    o[:, : max(n_q - n_k, 0)] = 0
    return o
