# visits only tiles that some query of the tile can see, works in base 2 and in place on its own tensors
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
        size = q_tile.shape[1]
        offset = n_k - n_q + i
        end = min(n_k, offset + size) if causal else n_k
        acc = torch.zeros_like(o[:, i : i + size])
        m = torch.full_like(acc[..., :1], -torch.inf)
        l = torch.zeros_like(m)
        for j in range(0, end, tile_n):
            stop = min(j + tile_n, n_k)
            s = torch.bmm(q_tile, k[:, j:stop].mT).mul_(scale * 1.4426950408889634)
            if causal and stop - 1 > offset:
                hidden = torch.ones(size, stop - j, dtype=torch.bool, device=q.device)
                s.masked_fill_(hidden.triu(offset - j + 1), -torch.inf)
            new = torch.maximum(m, s.amax(-1, keepdim=True))
            base = torch.where(new.isneginf(), torch.zeros_like(new), new)
            s.sub_(base).exp2_()
            alpha = torch.exp2(m - base)
            l = l * alpha + s.sum(-1, keepdim=True)
            acc.mul_(alpha).baddbmm_(s, v[:, j:stop])
            m = new
        o[:, i : i + size] = torch.where(l > 0, acc / l, torch.zeros_like(acc))
    return o
