# sinks and slice stay two views, whose scores are two products into one buffer; masks from positions, window clipped to N_k
def long_prefill(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    chunk: int,
    window: int,
    sinks: int = 0,
    scale: float | None = None,
) -> Tensor:
    """`sink_attention`, `chunk` queries at a time, each chunk with the keys that it can see.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v) float32, N_q <= N_k: the queries are the last N_q of
    the N_k tokens.
    chunk: queries per chunk; the last chunk is what is left.
    window, sinks, scale: as in `sink_attention`.
    Returns o (N_q, d_v), same dtype.
    Memory: a chunk sees at most M = sinks + window + chunk - 1 keys. Beside the output: a few
    matrices of chunk x M numbers and a copy of M keys and values; nothing grows with N_k.
    Operations: as in `chunked_prefill`.
    Forbidden: scaled_dot_product. It stays within torch and Python. Arguments stay as they
    are, and results are new memory.
    """
    n_q, n_k = q.shape[0], k.shape[0]
    o = q.new_zeros(n_q, v.shape[1])
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    w = min(window, n_k)
    p0 = n_k - n_q
    for block, out in zip(q.split(chunk), o.split(chunk)):
        n = block.shape[0]
        near = max(p0 - w + 1, 0)
        far = min(sinks, near)  # keys 0 to far - 1 are sinks that the slice does not hold
        position = torch.arange(p0, p0 + n)[:, None]
        j = torch.arange(near, p0 + n)
        hidden = (j > position) | ((j <= position - w) & (j >= min(sinks, n_k)))
        s = block.new_empty(n, far + len(j))
        s[:, :far] = block @ k[:far].T
        s[:, far:] = block @ k[near : p0 + n].T
        s *= scale
        s[:, far:].masked_fill_(hidden, -torch.inf)
        p = torch.softmax(s, dim=1)
        out.copy_(p[:, :far] @ v[:far])
        out += p[:, far:] @ v[near : p0 + n]
        p0 += n
    return o
