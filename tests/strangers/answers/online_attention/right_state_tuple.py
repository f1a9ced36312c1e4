# The state is one tuple handed through online_chunk, the causal mask a shifted tril of ones for each chunk.
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
    state = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    for first in range(0, n_k, tile_n):
        here = slice(first, first + tile_n)
        s = (q @ k[here].T).mul_(scale)
        if causal:
            seen = torch.ones(s.shape, dtype=torch.bool, device=q.device).tril_(n_k - n_q - first)
            s.masked_fill_(~seen, -torch.inf)
        state = online_chunk(*state, s, v[here])
    return state[0]
