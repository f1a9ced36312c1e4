# Takes the chunks of queries but all keys up to the chunk's end: right values, scores and masks of chunk x N_k, so memory grows with the sequence.
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
    for a in range(0, n_q, chunk):
        b = min(a + chunk, n_q)
        upto = b + n_k - n_q
        o[a:b] = sink_attention(q[a:b], k[:upto], v[:upto], window, sinks, scale)
    return o
