# Carries the true positions of the gathered keys along and masks by them; does not use sink_attention.
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
    factor = scale if scale is not None else q.shape[1] ** -0.5
    offset = n_k - n_q
    start = 0
    while start < n_q:
        stop = min(start + chunk, n_q)
        lo, hi = max(0, start + offset - window + 1), stop + offset
        at = torch.cat([torch.arange(min(sinks, lo)), torch.arange(lo, hi)])
        p = torch.arange(start + offset, hi)[:, None]
        unseen = (at > p) | ((at <= p - window) & (at >= sinks))
        s = q[start:stop] @ k[at].T
        s = s.mul_(factor).masked_fill_(unseen, -torch.inf)
        o[start:stop] = torch.softmax(s, 1) @ v[at]
        start = stop
    return o
