# makes the strip of tile_m x N_k scores for each tile of queries and cuts it afterwards: more memory than a tile
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
        strip = torch.matmul(q_tile, k.transpose(1, 2)) * scale
        if causal:
            rows = torch.arange(n_q, device=q.device)[i : i + tile_m, None]
            keys = torch.arange(n_k, device=q.device)[None]
            strip = strip.masked_fill(keys > rows + n_k - n_q, -torch.inf)
        m = strip.amax(dim=-1, keepdim=True)
        m = torch.where(torch.isinf(m), torch.zeros_like(m), m)
        acc, l = 0, 0
        for j in range(0, n_k, tile_n):
            p = torch.exp(strip[..., j : j + tile_n] - m)
            acc = acc + p @ v[:, j : j + tile_n]
            l = l + p.sum(dim=-1, keepdim=True)
        o[:, i : i + tile_m] = torch.where(l > 0, acc / l, torch.zeros_like(acc))
    return o
