# one running maximum for the whole tile of all heads instead of one per query; queries whose scores lie 104 below the tile's largest give zeros
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
        top = -torch.inf
        l = q_tile.new_zeros(*q_tile.shape[:2], 1)
        acc = q_tile.new_zeros(*q_tile.shape[:2], v.shape[-1])
        for j in range(0, n_k, tile_n):
            s = (q_tile @ k[:, j : j + tile_n].mT) * scale
            if causal:
                r = torch.arange(i, i + s.shape[1], device=q.device)[:, None]
                c = torch.arange(j, j + s.shape[2], device=q.device)
                s = s.masked_fill(c > r + n_k - n_q, -torch.inf)
            new = max(top, s.max().item())
            if new == -torch.inf:
                continue
            p = torch.exp(s - new)
            a = torch.exp(torch.tensor(top - new, dtype=q.dtype))
            acc, l, top = a * acc + p @ v[:, j : j + tile_n], a * l + p.sum(-1, keepdim=True), new
        o[:, i : i + tile_m] = torch.where(l > 0, acc / l, torch.zeros_like(acc))
    return o
