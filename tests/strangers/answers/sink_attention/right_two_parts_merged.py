# Per query two disjoint parts, sinks before the window and the window itself, merged by their unnormalised sums and a common maximum.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    for i in range(n_q):
        p = n_k - n_q + i
        begin = max(0, p + 1 - window)
        parts = [slice(0, min(sinks, begin)), slice(begin, p + 1)]
        scores = [k[part] @ q[i] * scale for part in parts]
        top = torch.cat(scores).max()
        weights = [torch.exp(s - top) for s in scores]
        total = weights[0].sum() + weights[1].sum()
        o[i] = sum(w @ v[part] for w, part in zip(weights, parts)) / total
    return o
