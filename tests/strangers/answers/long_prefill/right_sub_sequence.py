# Sinks and slice as one short sequence for sink_attention, or simply the prefix where the two would touch.
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
        end = min(begin + chunk, n_q)
        p0, p1 = begin + n_k - n_q, end + n_k - n_q
        oldest = p0 - window + 1
        if oldest <= sinks:
            keys, values = k[:p1], v[:p1]
        else:
            keys = torch.cat([k[:sinks], k[oldest:p1]])
            values = torch.cat([v[:sinks], v[oldest:p1]])
        o[begin:end] = sink_attention(q[begin:end], keys, values, window, sinks, scale)
    return o
