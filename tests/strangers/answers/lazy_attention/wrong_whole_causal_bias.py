# Builds the additive causal mask as one float N_q x N_k matrix before the loops and slices tiles out of it: right numbers, but every causal call breaks the memory limit.
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
    bias = None
    if causal:
        bias = torch.full((n_q, n_k), float("-inf"), device=q.device).triu(1 + n_k - n_q)
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        m = q.new_full((*q_tile.shape[:2], 1), -torch.inf)
        l = q.new_zeros(*q_tile.shape[:2], 1)
        acc = q.new_zeros(*q_tile.shape[:2], v.shape[-1])
        for k_tile, v_tile, j in zip(
            k.split(tile_n, dim=1), v.split(tile_n, dim=1), range(0, n_k, tile_n)
        ):
            s = q_tile @ k_tile.transpose(-1, -2) * scale
            if bias is not None:
                s = s + bias[i : i + tile_m, j : j + tile_n]
            m_new = torch.maximum(m, s.amax(-1, keepdim=True))
            safe = torch.where(m_new == -torch.inf, 0.0, m_new)
            p, a = (s - safe).exp(), (m - safe).exp()
            l, acc, m = a * l + p.sum(-1, keepdim=True), a * acc + p @ v_tile, m_new
        o[:, i : i + tile_m] = acc / torch.where(l == 0, 1.0, l)
    return o
