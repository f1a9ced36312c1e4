# Two mistakes: a first chunk shorter than the sinks still takes all of k[:sinks] and sees later ones, and the caller's scale is not handed on.
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
        j = min(i + chunk, n_q)
        p0, p1 = i + n_k - n_q, j + n_k - n_q
        begin = max(sinks, p0 - window + 1)
        ids = torch.cat([torch.arange(min(sinks, n_k)), torch.arange(begin, max(begin, p1))])
        p = torch.arange(p0, p1)[:, None]
        hide = ((ids > p) | (ids <= p - window)) & (ids >= sinks)
        s = (q[i:j] @ k[ids].T * q.shape[1] ** -0.5).masked_fill(hide, -torch.inf)
        o[i:j] = s.softmax(-1) @ v[ids]
    return o
