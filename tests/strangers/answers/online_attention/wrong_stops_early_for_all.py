# stops at the first chunk that starts beyond key j = N_q - 1, as if queries and keys were equally many; with N_k > N_q causal the last keys are never visited
def online_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o, m, l = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    end = min(n_q, n_k) if causal else n_k
    for j in range(0, end, tile_n):
        s = scale * (q @ k[j : j + tile_n].T)
        if causal:
            col = torch.arange(j, j + s.shape[1], device=q.device)
            row = torch.arange(n_q, device=q.device) + n_k - n_q
            s[col[None, :] > row[:, None]] = -torch.inf
        o, m, l = online_chunk(o, m, l, s, v[j : j + tile_n])
    return o
