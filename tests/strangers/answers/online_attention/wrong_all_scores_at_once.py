# computes all scores with one product and only then goes over chunks: N_q x N_k numbers in memory
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
    S = (q @ k.T) * scale
    if causal:
        i, j = torch.arange(n_q)[:, None], torch.arange(n_k)[None, :]
        S = S.masked_fill(j > i + n_k - n_q, float("-inf"))
    state = torch.zeros(n_q, v.shape[1]), torch.full((n_q,), float("-inf")), torch.zeros(n_q)
    for s, values in zip(S.split(tile_n, dim=1), v.split(tile_n)):
        state = online_chunk(*state, s, values)
    return state[0]
