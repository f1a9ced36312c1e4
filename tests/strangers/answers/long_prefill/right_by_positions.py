# an index of the keys that a chunk can see, and the mask of the window on their positions
def long_prefill(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    chunk: int,
    window: int,
    sinks: int = 0,
    scale: float | None = None,
) -> Tensor:
    (n_q, d), n_k = q.shape, k.shape[0]
    factor = 1 / d**0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    position = n_k - n_q  # of the chunk's first query
    for rows, target in zip(q.split(chunk), o.split(chunk)) if n_q else ():
        last = position + len(rows)
        near = torch.arange(max(position - window + 1, 0), last)
        first = torch.arange(min(sinks, max(position - window + 1, 0)))
        index = torch.cat([first, near]).to(q.device)
        at = torch.arange(position, last, device=q.device)[:, None]
        hidden = (index > at) | ((at - index >= window) & (index >= sinks))
        S = rows @ k[index].T * factor
        S.masked_fill_(hidden, -torch.inf)
        S = S.sub_(S.amax(dim=1, keepdim=True)).exp_()
        target.copy_((S @ v[index]) / S.sum(dim=1, keepdim=True))
        position = last
    return o
