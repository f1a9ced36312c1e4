# Slices k[p - window + 1 : p + 1] without keeping the start at 0: early tokens (p < window - 1) get a slice counted from the end, mostly empty.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    out = []
    for i in range(n_q):
        p = i + n_k - n_q
        lo = p - window + 1
        head = max(0, min(sinks, lo))
        keys, values = (torch.cat([x[:head], x[lo : p + 1]]) for x in (k, v))
        p_ = torch.softmax(q[i : i + 1] @ keys.T * scale, dim=-1)
        out.append(p_ @ values)
    return torch.cat(out)
