# loop over chunks with the lesson's online_chunk and a mask from key positions
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
    last_seen = torch.arange(n_q, device=q.device)[:, None] + n_k - n_q
    for start in range(0, n_k, tile_n):
        s = scale * (q @ k[start : start + tile_n].T)
        if causal:
            keys = torch.arange(start, start + s.shape[1], device=q.device)
            s = s.masked_fill(keys > last_seen, -torch.inf)
        o, m, l = online_chunk(o, m, l, s, v[start : start + tile_n])
    return o
