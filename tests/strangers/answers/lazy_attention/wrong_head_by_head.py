# One head after the other, each with all its tiles: right values, with 60 operations for each pair of tiles of each head and not of all heads.
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
        for h in range(q.shape[0]):
            qh = q_tile[h]
            top = torch.full((qh.shape[0], 1), float("-inf"), dtype=q.dtype, device=q.device)
            both = torch.zeros(qh.shape[0], v.shape[-1] + 1, dtype=q.dtype, device=q.device)
            last = torch.arange(i, i + qh.shape[0], device=q.device)[:, None] + (n_k - n_q)
            j = 0
            while j < n_k:
                vh = v[h, j : j + tile_n]
                s = (qh @ k[h, j : j + tile_n].t()) * scale
                if causal:
                    s[torch.arange(j, j + len(vh), device=q.device) > last] = float("-inf")
                new = torch.maximum(top, s.max(dim=1, keepdim=True).values)
                zero = new.clamp(min=torch.finfo(q.dtype).min)
                e = torch.exp(s - zero)
                both = both * torch.exp(top - zero) + e @ torch.cat([vh, vh.new_ones(len(vh), 1)], 1)
                top = new
                j += tile_n
            l = both[:, -1:]
            o[h, i : i + tile_m] = both[:, :-1] / torch.where(l == 0, torch.ones_like(l), l)
    return o
