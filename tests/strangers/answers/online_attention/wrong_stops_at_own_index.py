# Ends the key loop at the last query's number instead of at N_k, as one does in self-attention (keys = queries): with causal and N_k > N_q the newest keys are never visited.
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
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hi = min(n_q, n_k) if causal else n_k
    for start in range(0, hi, tile_n):
        stop = min(start + tile_n, n_k)
        s = q @ k[start:stop].T * scale
        if causal:
            diff = torch.arange(start, stop)[None] - torch.arange(n_q)[:, None]
            s[(diff > n_k - n_q).to(q.device)] = -torch.inf
        o, m, l = online_chunk(o, m, l, s, v[start:stop])
    return o
