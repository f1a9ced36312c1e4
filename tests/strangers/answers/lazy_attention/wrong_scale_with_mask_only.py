# A scale that is given is used in the causal branch only.
def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k, root = q.shape[1], k.shape[1], q.shape[-1] ** -0.5
    o = torch.zeros(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        a = q[:, i : i + tile_m]
        m, l, acc = torch.tensor(-torch.inf), torch.tensor(0.0), torch.tensor(0.0)
        for j in range(0, n_k, tile_n):
            s = a @ k[:, j : j + tile_n].mT
            if causal:
                s *= root if scale is None else scale
                r = torch.arange(i, i + s.shape[1]).view(-1, 1)
                s = s.masked_fill(torch.arange(j, j + s.shape[2]) > r + n_k - n_q, -torch.inf)
            else:
                s *= root
            n = torch.maximum(m, s.amax(-1, keepdim=True))
            z = torch.where(n == -torch.inf, 0, n)
            f, p = torch.exp(m - z), torch.exp(s - z)
            l = l * f + p.sum(-1, keepdim=True)
            acc = acc * f + p @ v[:, j : j + tile_n]
            m = n
        o[:, i : i + tile_m] = acc / torch.where(l == 0, 1, l)
    return o
