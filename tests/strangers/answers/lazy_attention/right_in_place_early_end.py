# In-place torch methods on one buffer of scores, and the loop over keys ends at the last key that the tile's last query sees.
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
    heads, offset = q.shape[0], n_k - n_q
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        rows = q_tile.shape[1]
        top = q.new_full((heads, rows, 1), -torch.inf)
        total = q.new_zeros(heads, rows, 1)
        acc = q.new_zeros(heads, rows, v.shape[-1])
        end = min(n_k, i + rows + offset) if causal else n_k
        for j in range(0, end, tile_n):
            k_tile, v_tile = k[:, j : j + tile_n], v[:, j : j + tile_n]
            p = torch.bmm(q_tile, k_tile.transpose(1, 2)).mul_(scale)
            if causal:
                query = torch.arange(i, i + rows, device=q.device)[:, None]
                key = torch.arange(j, j + k_tile.shape[1], device=q.device)
                p.masked_fill_(key > query + offset, -torch.inf)
            new = torch.maximum(top, p.amax(dim=2, keepdim=True))
            shift = new.masked_fill(new == -torch.inf, 0.0)
            p.sub_(shift).exp_()
            alpha = (top - shift).exp_()
            total.mul_(alpha).add_(p.sum(dim=2, keepdim=True))
            acc.mul_(alpha).baddbmm_(p, v_tile)
            top = new
        o[:, i : i + rows] = acc.div_(total.masked_fill_(total == 0, 1.0))
    return o
