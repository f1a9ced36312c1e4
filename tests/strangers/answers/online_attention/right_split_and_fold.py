# Splits keys and values with Tensor.split and folds the chunks into the state with online_chunk.
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
    state = q.new_zeros(n_q, v.shape[-1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    last_seen = torch.arange(n_k - n_q, n_k, device=q.device)[:, None]
    first = 0
    for k_part, v_part in zip(k.split(tile_n), v.split(tile_n)):
        s = (q @ k_part.T).mul_(scale)
        if causal:
            keys = torch.arange(first, first + len(k_part), device=q.device)
            s.masked_fill_(keys > last_seen, -torch.inf)
        state = online_chunk(*state, s, v_part)
        first += len(k_part)
    return state[0]
