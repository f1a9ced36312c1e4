# Right: per query the list of its keys as one prefix where window and sinks touch, otherwise sinks and window side by side.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale

    def answer(query, p):
        lo = max(0, p + 1 - window)
        if lo <= sinks:
            keys, values = k[: p + 1], v[: p + 1]
        else:
            keys = torch.cat((k[:sinks], k[lo : p + 1]))
            values = torch.cat((v[:sinks], v[lo : p + 1]))
        s = (keys * query).sum(dim=1) * scale
        e = torch.exp(s - s.max())
        return (e[:, None] * values).sum(dim=0) / e.sum()

    o = q.new_zeros(n_q, v.shape[1])
    for i in range(n_q):
        o[i] = answer(q[i], n_k - n_q + i)
    return o
