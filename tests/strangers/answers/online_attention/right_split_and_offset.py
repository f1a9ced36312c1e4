# Splits keys and values into views, carries the first key number along, hides the future in place and leaves the rest to online_chunk.
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
    last = torch.arange(n_q, device=q.device)[:, None] + (n_k - n_q)
    state = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    first = 0
    for keys, values in zip(k.split(tile_n), v.split(tile_n)):
        s = torch.mm(q, keys.t()).mul_(scale)
        if causal:
            s.masked_fill_(torch.arange(first, first + len(keys), device=q.device) > last, -torch.inf)
        state = online_chunk(*state, s, values)
        first += len(keys)
    return state[0]
