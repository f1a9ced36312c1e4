# Online softmax over two pieces, sinks and window, merged by maxima; the window itself goes by in pieces of `chunk` keys.
def long_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, window: int, sinks: int = 0, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    o = q.new_zeros(n_q, v.shape[1])
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    for i in range(0, n_q, chunk):
        rows = q[i : i + chunk]
        n = rows.shape[0]
        first = i + n_k - n_q
        position = torch.arange(first, first + n)[:, None]
        m, l, acc = rows.new_full((n, 1), -torch.inf), rows.new_zeros(n, 1), rows.new_zeros(n, v.shape[1])
        begin = max(0, first - window + 1)
        pieces = [(0, min(sinks, begin))] + [(j, min(j + chunk, first + n)) for j in range(begin, first + n, chunk)]
        for a, b in pieces:
            if a >= b:
                continue
            key = torch.arange(a, b)
            seen = (key <= position) & ((key > position - window) | (key < sinks))
            s = (rows @ k[a:b].T * scale).masked_fill(~seen, -torch.inf)
            m_new = torch.maximum(m, s.amax(1, keepdim=True))
            base = torch.where(m_new == -torch.inf, 0.0, m_new)
            p, fade = torch.exp(s - base), torch.exp(m - base)
            l, acc, m = fade * l + p.sum(1, keepdim=True), fade * acc + p @ v[a:b], m_new
        o[i : i + chunk] = acc / l
    return o
