# builds the boolean causal mask of N_q x N_k in advance and slices it: the matrix that must never be made
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
    visible = torch.ones(n_q, n_k, dtype=torch.bool, device=q.device).tril(n_k - n_q)
    o, m, l = torch.zeros(n_q, v.shape[1]), torch.full((n_q,), -torch.inf), torch.zeros(n_q)
    for j in range(0, n_k, tile_n):
        s = scale * q @ k[j : j + tile_n].T
        if causal:
            s = torch.where(visible[:, j : j + tile_n], s, -torch.inf)
        o, m, l = online_chunk(o, m, l, s, v[j : j + tile_n])
    return o
