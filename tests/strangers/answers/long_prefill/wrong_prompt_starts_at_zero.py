# Takes the row number for the position: right only where N_q == N_k.
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
    for t in range(0, n_q, chunk):
        e = min(t + chunk, n_q)
        lo = max(0, t - window + 1)
        if lo <= sinks:
            kk, vv = k[:e], v[:e]
        else:
            kk, vv = torch.cat([k[:sinks], k[lo:e]]), torch.cat([v[:sinks], v[lo:e]])
        o[t:e] = sink_attention(q[t:e], kk, vv, window, sinks, scale)
    return o
