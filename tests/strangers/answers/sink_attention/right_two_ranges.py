# per query the union of two half-open ranges, cut so that no key comes twice; nothing is masked
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    """Causal attention to the last `window` tokens and to the first `sinks` ones.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v) float32, N_q <= N_k: the queries are the last N_q of
    the N_k tokens.
    window: at least 1, however large, the token itself included; from N_k on it hides nothing.
    sinks: 0 or more, however many; with 0 a token sees its window alone.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Returns o (N_q, d_v), same dtype: the query at position p sees the keys at positions j <= p
    with j > p - window or j < sinks, each once. Beltagy et al. (Longformer, 2020) for the
    window, Xiao et al. (2023) for the sinks.
    Forbidden: scaled_dot_product. It stays within torch and Python. Arguments stay as they
    are, and results are new memory.
    """
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(n_q, v.shape[1], dtype=v.dtype)
    for i, position in enumerate(range(n_k - n_q, n_k)):
        near = max(position + 1 - window, 0)  # Python integers: any size
        first = min(sinks, near)
        index = [*range(first), *range(near, position + 1)]
        s = (k[index] * q[i]).sum(dim=1) * scale
        e = torch.exp(s - s.max())
        o[i] = (e[:, None] * v[index]).sum(dim=0) / e.sum()
    return o
