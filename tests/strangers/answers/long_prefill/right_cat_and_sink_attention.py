# Sinks and slice side by side, handed to sink_attention; without a gap between them it is a plain prefix.
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
        rows = q[i : i + chunk]
        p = n_k - n_q + i
        end = p + rows.shape[0]
        begin = max(0, p - window + 1)
        head = min(sinks, begin)
        keys = torch.cat([k[:head], k[begin:end]])
        values = torch.cat([v[:head], v[begin:end]])
        o[i : i + chunk] = sink_attention(rows, keys, values, window, sinks, scale)
    return o
