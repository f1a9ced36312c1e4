# skips tiles by comparing tile starts, `if causal and j > i: break`; with tile_m > tile_n or N_k > N_q visible keys are never read
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
        n = q_tile.shape[1]
        m = q.new_full((q.shape[0], n, 1), -torch.inf)
        l = torch.zeros_like(m)
        acc = q.new_zeros(q.shape[0], n, v.shape[-1])
        for j in range(0, n_k, tile_n):
            if causal and j > i:
                break
            s = scale * q_tile @ k[:, j : j + tile_n].transpose(-1, -2)
            if causal:
                rows = torch.arange(i, i + n, device=q.device)[:, None] + n_k - n_q
                cols = torch.arange(j, j + s.shape[-1], device=q.device)[None, :]
                s = s.masked_fill(cols > rows, -torch.inf)
            new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            shift = torch.where(new == -torch.inf, 0.0, new)
            p, a = torch.exp(s - shift), torch.exp(m - shift)
            acc, l, m = a * acc + p @ v[:, j : j + tile_n], a * l + p.sum(-1, keepdim=True), new
        o[:, i : i + n] = acc / l.masked_fill(l == 0, 1.0)
    return o
