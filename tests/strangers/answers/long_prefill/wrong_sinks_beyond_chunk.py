# Wrong: always puts k[:sinks] in front and begins the slice behind them, so while the chunk ends before the last sink (chunk end < sinks, at the beginning of a sequence) the short sequence holds future keys and the queries are aligned at wrong positions; sinks <= first chunk end are right.
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
    for i in range(0, n_q, chunk):
        queries = q[i : i + chunk]
        p0 = n_k - n_q + i
        p1 = p0 + queries.shape[0]
        lo = max(sinks, p0 - window + 1)
        kk = torch.cat([k[:sinks], k[lo:p1]])
        vv = torch.cat([v[:sinks], v[lo:p1]])
        o[i : i + chunk] = sink_attention(queries, kk, vv, window, sinks, scale)
    return o
