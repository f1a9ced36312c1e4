# an inner generator yields (scores, values) chunk by chunk with tril masks, the state tuple goes through online_chunk
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

    def chunks():
        for b in range(-(-n_k // tile_n)):
            low, high = b * tile_n, min(n_k, (b + 1) * tile_n)
            scores = torch.einsum("id,jd->ij", q, k[low:high]) * scale
            if causal:
                visible = torch.ones(n_q, high - low, dtype=torch.bool, device=q.device)
                scores.masked_fill_(~visible.tril(n_k - n_q - low), float("-inf"))
            yield scores, v[low:high]

    state = (
        torch.zeros(n_q, v.shape[-1], dtype=q.dtype, device=q.device),
        torch.full((n_q,), float("-inf"), dtype=q.dtype, device=q.device),
        torch.zeros(n_q, dtype=q.dtype, device=q.device),
    )
    for scores, values in chunks():
        state = online_chunk(*state, scores, values)
    return state[0]
