# The mask is aligned at the bottom right, but hidden tiles are skipped as if it were at the top left (break once j passes the tile's last query): with causal and N_k > N_q later visible keys are never read.
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
        rows = q_tile.shape[1]
        offs_m = i + torch.arange(rows, device=q.device)
        m_i = q.new_full((q.shape[0], rows), float("-inf"))
        l_i = q.new_zeros(q.shape[0], rows)
        acc = q.new_zeros(q.shape[0], rows, v.shape[-1])
        for start_n in range(0, n_k, tile_n):
            if causal and start_n > i + rows - 1:
                break  # the rest of the keys lies above the diagonal
            kt = k[:, start_n : start_n + tile_n]
            qk = torch.einsum("hmd,hnd->hmn", q_tile, kt) * scale
            if causal:
                offs_n = start_n + torch.arange(kt.shape[1], device=q.device)
                qk = qk.masked_fill(offs_n[None, :] > offs_m[:, None] + (n_k - n_q), float("-inf"))
            m_ij = torch.maximum(m_i, qk.amax(-1))
            shift = m_ij.masked_fill(m_ij == float("-inf"), 0.0)
            p = torch.exp(qk - shift[..., None])
            alpha = torch.exp(m_i - shift)
            l_i = l_i * alpha + p.sum(-1)
            acc = acc * alpha[..., None] + p @ v[:, start_n : start_n + tile_n]
            m_i = m_ij
        o[:, i : i + rows] = acc / l_i.masked_fill(l_i == 0, 1.0)[..., None]
    return o
