# Computes a chunk's first key as its number times its own length, so a shorter last chunk is masked as if it lay further left: with causal and a ragged end queries see keys of their future.
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
    o, m, l = q.new_zeros(n_q, v.shape[1]), q.new_full([n_q], -torch.inf), q.new_zeros(n_q)
    rows = torch.arange(n_q, device=q.device).view(-1, 1)
    for t, (kc, vc) in enumerate(zip(k.split(tile_n), v.split(tile_n))):
        width = kc.shape[0]
        s = (q @ kc.T) * scale
        if causal:
            cols = t * width + torch.arange(width, device=q.device)
            s = torch.where(cols <= rows + n_k - n_q, s, -torch.inf)
        o, m, l = online_chunk(o, m, l, s, vc)
    return o
