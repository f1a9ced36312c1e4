# Reads `window` as the size of the whole StreamingLLM cache, so only window - sinks (at least one) recent tokens are kept behind the sinks; with sinks = 0 or a window over everything it is right.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    start_size, recent_size = sinks, max(1, window - sinks)
    o = torch.zeros(n_q, v.shape[1])
    for i in range(n_q):
        seq_len = n_k - n_q + i + 1
        if seq_len <= start_size + recent_size:
            ks, vs = k[:seq_len], v[:seq_len]
        else:
            ks = torch.cat([k[:start_size], k[seq_len - recent_size : seq_len]])
            vs = torch.cat([v[:start_size], v[seq_len - recent_size : seq_len]])
        o[i] = torch.softmax(q[i] @ ks.T * scale, dim=-1) @ vs
    return o
