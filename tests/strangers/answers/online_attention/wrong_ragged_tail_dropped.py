# Walks over N_k // tile_n whole chunks, so the keys of a last, shorter chunk are never seen (N_k not a multiple of tile_n; all zeros if N_k < tile_n).
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
    o = q.new_zeros((n_q, v.size(1)))
    m = q.new_full((n_q,), float("-inf"))
    l = q.new_zeros((n_q,))
    q_pos = torch.arange(n_q, device=q.device) + (n_k - n_q)
    n_chunks = n_k // tile_n
    for c in range(n_chunks):
        lo, hi = c * tile_n, (c + 1) * tile_n
        s = torch.matmul(q, k[lo:hi].t()) * scale
        if causal:
            k_pos = torch.arange(lo, hi, device=q.device)
            s = s.masked_fill(k_pos.unsqueeze(0) > q_pos.unsqueeze(1), float("-inf"))
        o, m, l = online_chunk(o, m, l, s, v[lo:hi])
    return o
