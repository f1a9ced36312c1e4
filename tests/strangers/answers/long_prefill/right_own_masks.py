# Right: positions travel with the gathered keys, so the mask of the definition is applied to the short slice directly.
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
    factor = q.shape[1] ** -0.5 if scale is None else scale
    for begin in range(0, n_q, chunk):
        end = min(begin + chunk, n_q)
        p = torch.arange(begin, end) + (n_k - n_q)
        p_0, p_end = n_k - n_q + begin, n_k - n_q + end
        oldest = max(0, p_0 - window + 1)
        front = min(sinks, oldest)  # sinks that the slice does not hold anyway
        j = torch.cat((torch.arange(front), torch.arange(oldest, p_end)))
        if front:
            keys = torch.cat((k[:front], k[oldest:p_end]))
            values = torch.cat((v[:front], v[oldest:p_end]))
        else:
            keys, values = k[oldest:p_end], v[oldest:p_end]
        age = p[:, None] - j[None, :]
        seen = (age >= 0) & ((age < window) | (j < sinks)[None, :])
        S = (q[begin:end] @ keys.T).mul_(factor)
        S.masked_fill_(~seen, -torch.inf)
        o[begin:end] = torch.softmax(S, dim=1) @ values
    return o
