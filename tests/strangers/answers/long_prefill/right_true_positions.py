# keeps the true position beside every key that it takes and masks by it, without sink_attention
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
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    begin = n_k - n_q
    while begin < n_k:
        end = min(begin + chunk, n_k)
        rows = slice(begin - n_k + n_q, end - n_k + n_q)
        near = max(begin - window + 1, 0)
        far = min(sinks, near)
        j = torch.cat([torch.arange(far), torch.arange(near, end)])
        age = torch.arange(begin, end)[:, None] - j
        hidden = (age < 0) | ((age >= window) & (j >= sinks))
        s = (scale * (q[rows] @ k[j].T)).masked_fill_(hidden, -torch.inf)
        o[rows] = torch.softmax(s, dim=-1) @ v[j]
        begin = end
    return o
