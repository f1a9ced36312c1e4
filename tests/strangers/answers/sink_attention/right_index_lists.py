# For each query a list of the positions it sees, made as the union of two ranges.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    for i in range(n_q):
        p = i + n_k - n_q
        near = range(max(0, p - window + 1), p + 1)
        seen = [*range(min(sinks, near.start)), *near]
        w = torch.softmax(k[seen].mv(q[i]) * scale, dim=0)
        o[i] = w @ v[seen]
    return o
