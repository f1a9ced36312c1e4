# No copy of keys: scores of the sinks and of the slice are computed apart and joined as columns, as are the two products with the values.
def long_prefill(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    chunk: int,
    window: int,
    sinks: int = 0,
    scale: float | None = None,
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    o = q.new_zeros(n_q, v.shape[1])
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    for i in range(0, n_q, chunk):
        x = q[i : i + chunk]
        first = n_k - n_q + i
        last = first + len(x) - 1
        lo = max(0, first - window + 1)
        m = min(sinks, lo)
        near = x @ k[lo : last + 1].T * scale
        j = torch.arange(lo, last + 1)
        p = torch.arange(first, last + 1)[:, None]
        near[(j > p) | ((j <= p - window) & (j >= sinks))] = -torch.inf
        both = torch.cat([x @ k[:m].T * scale, near], dim=1).softmax(dim=1)
        o[i : i + chunk] = both[:, :m] @ v[:m] + both[:, m:] @ v[lo : last + 1]
    return o
