# For each chunk of queries an online softmax over chunks of keys of the same size: no more than chunk x chunk scores at a time.
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    for first in range(0, n_q, chunk):
        part = q[first : first + chunk]
        row = torch.arange(first, first + part.shape[0])[:, None] + n_k - n_q
        end = first + part.shape[0] + n_k - n_q
        m = part.new_full((part.shape[0], 1), -torch.inf)
        l = part.new_zeros(part.shape[0], 1)
        acc = part.new_zeros(part.shape[0], v.shape[1])
        for start in range(0, end, chunk):
            stop = min(start + chunk, end)
            s = scale * (part @ k[start:stop].T)
            s = s.masked_fill(torch.arange(start, stop) > row, -torch.inf)
            m_new = torch.maximum(m, s.amax(1, keepdim=True))
            p = torch.exp(s - m_new)
            a = torch.exp(m - m_new)
            l = a * l + p.sum(1, keepdim=True)
            acc = a * acc + p @ v[start:stop]
            m = m_new
        o[first : first + chunk] = acc / l
    return o
