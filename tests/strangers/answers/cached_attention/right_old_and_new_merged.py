# Two pieces per head, old keys without a mask and new keys under a square triangle, joined under one row maximum.
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    old = length - n
    future = torch.ones(n, n, dtype=torch.bool).triu(1)
    heads = []
    pairs = [(b, h) for b in range(q.shape[0]) for h in range(q.shape[1])]
    for where in pairs:
        qb, kb, vb = q[where], k_cache[where], v_cache[where]
        past = scale * (qb @ kb[:old].t())
        present = (scale * (qb @ kb[old:length].t())).masked_fill(future, float("-inf"))
        top = present.amax(1, keepdim=True) if n else present.sum(1, keepdim=True)
        if old:
            top = torch.maximum(top, past.amax(1, keepdim=True))
        past, present = (past - top).exp(), (present - top).exp()
        total = past.sum(1, keepdim=True) + present.sum(1, keepdim=True)
        heads.append((past @ vb[:old] + present @ vb[old:length]) / total)
    return torch.stack(heads).view(*q.shape[:3], v_cache.shape[3])
