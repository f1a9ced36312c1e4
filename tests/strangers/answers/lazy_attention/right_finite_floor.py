# The running maximum starts at the most negative finite float, so no NaN can arise; masked scores stay -inf; slices by narrow and while loops.
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
    floor = torch.finfo(q.dtype).min
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        rows = q_tile.shape[1]
        m = q.new_full((q.shape[0], rows, 1), floor)
        l = torch.zeros_like(m)
        acc = q.new_zeros(q.shape[0], rows, v.shape[-1])
        j = 0
        while j < n_k:
            cols = min(tile_n, n_k - j)
            s = q_tile @ k.narrow(1, j, cols).mT
            s *= scale
            if causal:
                last = torch.arange(i, i + rows, device=q.device) + (n_k - n_q)
                keys = torch.arange(j, j + cols, device=q.device)
                s.masked_fill_(keys > last[:, None], -torch.inf)
            new = torch.maximum(m, s.amax(-1, keepdim=True))
            s.sub_(new).exp_()
            shrink = torch.exp(m - new)
            l = l * shrink + s.sum(-1, keepdim=True)
            acc = acc * shrink + s @ v.narrow(1, j, cols)
            m = new
            j += cols
        o[:, i : i + rows] = torch.where(l > 0, acc / l, 0.0)
    return o
