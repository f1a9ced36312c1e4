# Calls sink_attention without the scale, so any scale but None (or 1/sqrt(d)) is ignored.
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
    offset = n_k - n_q
    for i in range(0, n_q, chunk):
        last = offset + min(i + chunk, n_q)
        left = max(sinks, offset + i - window + 1)
        joined = (torch.cat((x[:sinks], x[left:last])) for x in (k, v))
        if last <= sinks:
            joined = (k[:last], v[:last])
        o[i : i + chunk] = sink_attention(q[i : i + chunk], *joined, window, sinks)
    return o
