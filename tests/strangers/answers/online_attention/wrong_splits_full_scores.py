# Computes the whole N_q x N_k score matrix, masks it, and only then walks over its columns in chunks: right numbers, but the matrix that must never be made.
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
    s_all = q @ k.T * scale
    if causal:
        i = torch.arange(n_q, device=q.device)[:, None]
        j = torch.arange(n_k, device=q.device)[None, :]
        s_all[j > i + (n_k - n_q)] = float("-inf")
    o = torch.zeros(n_q, v.shape[-1], dtype=q.dtype, device=q.device)
    m = torch.full((n_q,), float("-inf"), dtype=q.dtype, device=q.device)
    l = torch.zeros_like(m)
    for s, v_chunk in zip(s_all.split(tile_n, dim=1), v.split(tile_n)):
        o, m, l = online_chunk(o, m, l, s, v_chunk)
    return o
