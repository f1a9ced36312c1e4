# Multiplies the whole q by all keys first and only cuts the N_q x N_k scores into chunks, so the big matrix that must never be made is in memory.
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
    S = torch.mm(q, k.t()) * scale
    if causal:
        S += torch.full_like(S, -torch.inf).triu(1 + n_k - n_q)
    state = (q.new_zeros(n_q, v.shape[-1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q))
    for s, values in zip(S.split(tile_n, dim=1), v.split(tile_n)):
        state = online_chunk(*state, s, values)
    return state[0]
