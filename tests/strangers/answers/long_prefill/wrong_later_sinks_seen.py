# LLM-written mask: causal and near, or a sink; a query before the last sink sees sinks that come after it
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

    scale = 1 / math.sqrt(q.shape[1]) if scale is None else scale
    gap = n_k - n_q

    def scores(rows, begin, end):
        p = torch.arange(rows.start, rows.stop).unsqueeze(1) + gap
        j = torch.arange(begin, end)
        seen = ((j <= p) & (p - j < window)) | (j < sinks)
        return torch.where(seen, scale * (q[rows] @ k[begin:end].T), -torch.inf)

    def of(rows):
        oldest = max(rows.start + gap + 1 - window, 0)
        spans = [(0, min(sinks, oldest)), (oldest, rows.stop + gap)]
        parts = [(scores(rows, *span), v[span[0] : span[1]]) for span in spans if span[0] < span[1]]
        top = torch.stack([s.amax(dim=1) for s, _ in parts]).amax(dim=0)[:, None]
        numerator, denominator = 0, 0
        for s, values in parts:
            s = s.sub_(top).exp_()
            numerator, denominator = numerator + s @ values, denominator + s.sum(dim=1, keepdim=True)
        return numerator / denominator

    o = q.new_zeros(n_q, v.shape[1])
    for i in range(0, n_q, chunk):
        rows = slice(i, min(i + chunk, n_q))
        o[rows] = of(rows)
    return o
