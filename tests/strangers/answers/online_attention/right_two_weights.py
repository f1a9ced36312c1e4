# without online_chunk: one addmm of two weighted parts, chunks go from the right to the left, base 2
def online_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    n_q, d = q.shape
    n_k, d_v = v.shape
    factor = d**-0.5 if scale is None else float(scale)
    o = torch.zeros((n_q, d_v), dtype=q.dtype, device=q.device)
    m = torch.full((n_q, 1), float("-inf"), dtype=q.dtype, device=q.device)
    l = torch.zeros((n_q, 1), dtype=q.dtype, device=q.device)
    last = torch.arange(n_k - n_q, n_k, device=q.device).reshape(-1, 1)
    start = (n_k - 1) // tile_n * tile_n if n_k else -1
    while start >= 0:
        stop = min(start + tile_n, n_k)
        S = factor * torch.mm(q, k[start:stop].T)
        if causal:
            S = S.masked_fill(torch.arange(start, stop, device=q.device) > last, float("-inf"))
        top = torch.maximum(m, S.max(dim=1, keepdim=True).values)
        base = torch.where(torch.isneginf(top), torch.zeros_like(top), top)
        P = torch.exp2((S - base) * 1.4426950408889634)
        past = l * torch.exp2((m - base) * 1.4426950408889634)
        l = past + P.sum(dim=1, keepdim=True)
        below = torch.where(l == 0, torch.ones_like(l), l)
        o = torch.addmm(o * (past / below), P / below, v[start:stop])
        m, start = top, start - tile_n
    return o
