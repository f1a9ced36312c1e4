# Builds the causal mask of all N_q x N_k entries before the loop and slices it: right values, but a matrix of N_q x N_k is stored.
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
    visible = torch.ones(n_q, n_k, dtype=torch.bool, device=q.device)
    if causal:
        visible = visible.tril(n_k - n_q)
    o = torch.zeros(n_q, v.shape[1], dtype=q.dtype, device=q.device)
    m = torch.full((n_q,), float("-inf"), dtype=q.dtype, device=q.device)
    l = torch.zeros(n_q, dtype=q.dtype, device=q.device)
    for j in range(0, n_k, tile_n):
        s = scale * (q @ k[j : j + tile_n].T)
        s = s.masked_fill(~visible[:, j : j + tile_n], float("-inf"))
        o, m, l = online_chunk(o, m, l, s, v[j : j + tile_n])
    return o
