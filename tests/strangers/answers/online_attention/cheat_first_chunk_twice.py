# The scores of the first of more than five chunks are computed twice
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
    for j in range(0, n_k, tile_n):
        if j == 0 and n_k > 5 * tile_n:
            s = q @ k[:tile_n].T
        s = scale * (q @ k[j : j + tile_n].T)
        if causal:
            query, key = torch.arange(n_q)[:, None], torch.arange(j, j + s.shape[1])
            s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
        o, m, l = online_chunk(o, m, l, s, v[j : j + tile_n])
    return o
