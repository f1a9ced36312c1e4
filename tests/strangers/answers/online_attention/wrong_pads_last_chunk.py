# pads keys and values with zeros to whole chunks and forgets to mask them (without causal mask they have score 0 and take weight); wrong when tile_n does not divide N_k
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
    pad = -n_k % tile_n
    k = torch.nn.functional.pad(k, (0, 0, 0, pad))
    v = torch.nn.functional.pad(v, (0, 0, 0, pad))
    o, m, l = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    limit = torch.arange(n_q, device=q.device)[:, None] + n_k - n_q
    for b in range(k.shape[0] // tile_n):
        keys = torch.arange(b * tile_n, (b + 1) * tile_n, device=q.device)
        s = q @ k[keys].T * scale
        if causal:
            s = s.masked_fill(keys > limit, -torch.inf)
        o, m, l = online_chunk(o, m, l, s, v[keys])
    return o
