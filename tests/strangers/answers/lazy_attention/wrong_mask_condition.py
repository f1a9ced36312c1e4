# WRONG: masks only tiles that cross the diagonal of a square (j + tile_n > i); causal with N_q > N_k leaves some tiles unmasked
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
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        acc = torch.zeros_like(o[:, i : i + tile_m])
        m = acc.new_full((*acc.shape[:2], 1), -torch.inf)
        l = torch.zeros_like(m)
        for j in range(0, n_k, tile_n):
            s = scale * q_tile @ k[:, j : j + tile_n].mT
            if causal and j + tile_n > i:
                last = torch.arange(i, i + s.shape[1])[:, None] + n_k - n_q
                s = s.masked_fill(torch.arange(j, j + s.shape[2]) > last, -torch.inf)
            m_new = torch.maximum(m, s.amax(-1, keepdim=True))
            safe = m_new.masked_fill(m_new == -torch.inf, 0)
            a, p = (m - safe).exp(), (s - safe).exp()
            acc, l, m = a * acc + p @ v[:, j : j + tile_n], a * l + p.sum(-1, keepdim=True), m_new
        o[:, i : i + tile_m] = acc / l.masked_fill(l == 0, 1)
    return o
