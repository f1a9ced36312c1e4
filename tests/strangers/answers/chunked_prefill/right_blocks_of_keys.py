# running sums over blocks of chunk keys within each chunk of queries; only the last blocks are masked
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    for start in range(0, n_q, chunk):
        rows = q[start : start + chunk]
        first = start + n_k - n_q  # position of the chunk's first query
        end = first + len(rows)
        top = rows.new_full((len(rows), 1), -torch.inf)
        total, mixed = rows.new_zeros(len(rows), 1), o[start : start + chunk]
        for j in range(0, end, chunk):
            stop = min(j + chunk, end)
            s = (rows @ k[j:stop].T) * scale
            if stop > first + 1:
                ahead = torch.arange(j, stop) > torch.arange(first, end)[:, None]
                s.masked_fill_(ahead, -torch.inf)
            new = torch.maximum(top, s.amax(dim=1, keepdim=True))
            fade, e = torch.exp(top - new), torch.exp(s - new)
            total = fade * total + e.sum(dim=1, keepdim=True)
            mixed.mul_(fade).add_(e @ v[j:stop])
            top = new
        mixed.div_(total)
    return o
