# Wrong: keeps the slice from reaching into the sinks, but takes all sinks at once even where they lie behind the chunk; near the beginning, with sinks > the chunk's last position + 1, keys of the future come in and the bottom-right mask is shifted.
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
        p_0 = n_k - n_q + i
        left = max(sinks, p_0 - window + 1)
        right = p_0 + queries.shape[0]
        keys = torch.cat((k[:sinks], k[left:right]))
        values = torch.cat((v[:sinks], v[left:right]))
        o[i : i + chunk] = sink_attention(queries, keys, values, window, sinks, scale)
    return o
