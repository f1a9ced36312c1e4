# flash style: each chunk of queries meets the keys in blocks of `chunk`, with running maximum and sum in base 2; about 15 operations for each block
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    """Causal attention of a prompt, `chunk` queries at a time.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v) float32, N_q <= N_k: the queries are the last N_q of
    the N_k tokens, those before them are cached already. N_q = 0: there is nothing left to do.
    chunk: queries per chunk; the last chunk is what is left.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Returns o (N_q, d_v), same dtype: query i, at position i + N_k - N_q, sees every key up to
    its own. The same for every chunk size.
    Memory: beside the output a few matrices of chunk x N_k numbers. Torch runs at most 40
    operations for each chunk of queries, and as many for every `chunk` keys that it meets.
    Forbidden: scaled_dot_product. It stays within torch and Python. Arguments stay as they
    are, and results are new memory.
    """
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    c = scale * 1.4426950408889634
    offset = n_k - n_q
    for a in range(0, n_q, chunk):
        block = q[a : a + chunk]
        n = block.shape[0]
        position = torch.arange(a + offset, a + offset + n)[:, None]
        m = torch.full((n, 1), -torch.inf)
        l = torch.zeros(n, 1)
        acc = torch.zeros(n, v.shape[1])
        for j in range(0, a + n + offset, chunk):
            keys = k[j : j + chunk]
            s = (block @ keys.T) * c
            s = s.masked_fill(torch.arange(j, j + keys.shape[0]) > position, -torch.inf)
            top = torch.maximum(m, s.amax(dim=1, keepdim=True))  # key 0 is seen: never -inf
            p = torch.exp2(s - top)
            old = torch.exp2(m - top)
            l = l * old + p.sum(dim=1, keepdim=True)
            acc = acc * old + p @ v[j : j + chunk]
            m = top
        o[a : a + chunk] = acc / l
    return o
