# FlashAttention in torch: within a chunk of queries the keys come `chunk` at a time, with a running maximum and sum
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    before = n_k - n_q
    o = q.new_zeros(n_q, v.shape[1])
    for begin in range(0, n_q, chunk):
        rows = q[begin : begin + chunk]
        position = torch.arange(begin, begin + len(rows), device=q.device) + before
        m = q.new_full((len(rows),), -torch.inf)
        l = q.new_zeros(len(rows))
        acc = q.new_zeros(len(rows), v.shape[1])
        end = before + begin + len(rows)
        for start in range(0, end, chunk):
            stop = min(start + chunk, end)
            s = (rows @ k[start:stop].T) * scale
            key = torch.arange(start, stop, device=q.device)
            s = torch.where(key <= position[:, None], s, -torch.inf)
            top = torch.maximum(m, s.amax(dim=1))  # finite: everybody sees key 0
            p = torch.exp(s - top[:, None])
            shrink = torch.exp(m - top)
            l = shrink * l + p.sum(dim=1)
            acc = shrink[:, None] * acc + p @ v[start:stop]
            m = top
        o[begin : begin + len(rows)] = acc / l[:, None]
    return o
