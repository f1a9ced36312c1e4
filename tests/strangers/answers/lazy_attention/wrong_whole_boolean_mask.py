# Builds the causal mask once as an N_q x N_k boolean matrix and slices it: right numbers, but an N_q x N_k matrix (one byte an entry) is in memory.
def lazy_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_m: int,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    hidden = q.new_ones(n_q, n_k, dtype=torch.bool).triu(n_k - n_q + 1) if causal else None
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        acc = torch.zeros_like(o[:, i : i + tile_m])
        m = torch.full_like(acc[..., :1], -torch.inf)
        l = torch.zeros_like(m)
        for j in range(0, n_k, tile_n):
            s = scale * (q_tile @ k[:, j : j + tile_n].transpose(1, 2))
            if causal:
                s.masked_fill_(hidden[i : i + tile_m, j : j + tile_n], -torch.inf)
            m2 = torch.maximum(m, s.amax(-1, keepdim=True))
            z = m2.masked_fill(m2.isneginf(), 0)
            a, p = (m - z).exp(), (s - z).exp()
            l = a * l + p.sum(-1, keepdim=True)
            acc = a * acc + p @ v[:, j : j + tile_n]
            m = m2
        o[:, i : i + tile_m] = acc / l.masked_fill(l == 0, 1)
    return o
