# stores the partial (acc, m, l) of every tile of keys and joins them at the end: memory grows with N_k / tile_n times d_v
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
        parts = []
        for j in range(0, n_k, tile_n):
            s = q_tile @ k[:, j : j + tile_n].mT * scale
            if causal:
                row = torch.arange(i, i + s.shape[1], device=q.device).unsqueeze(1)
                col = torch.arange(j, j + s.shape[2], device=q.device).unsqueeze(0)
                s.masked_fill_(col > row + (n_k - n_q), -torch.inf)
            m = s.amax(-1)
            p = torch.exp(s - torch.where(m == -torch.inf, 0.0, m)[..., None])
            parts.append((p @ v[:, j : j + tile_n], m, p.sum(-1)))
        accs, ms, ls = (torch.stack(x) for x in zip(*parts))
        top = ms.amax(0)
        w = torch.exp(ms - torch.where(top == -torch.inf, 0.0, top))
        l = (w * ls).sum(0)
        acc = (w[..., None] * accs).sum(0)
        o[:, i : i + tile_m] = acc / torch.where(l == 0, 1.0, l)[..., None]
    return o
