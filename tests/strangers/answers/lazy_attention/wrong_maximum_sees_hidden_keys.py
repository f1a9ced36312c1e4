# Takes the running maximum before masking and multiplies the exponentials by the mask: a hidden key that scores more than about 100 above the visible ones underflows them all, and the query gives zeros (causal, large scores).
def lazy_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_m: int,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        rows = torch.arange(i, i + q_tile.shape[1], device=q.device)
        m = q.new_full((*q_tile.shape[:2], 1), -torch.inf)
        l, acc = torch.zeros_like(m), q.new_zeros(*q_tile.shape[:2], v.shape[-1])
        for j in range(0, n_k, tile_n):
            kt, vt = k[:, j : j + tile_n], v[:, j : j + tile_n]
            s = q_tile @ kt.transpose(1, 2) * scale
            m_new = torch.maximum(m, s.max(-1, keepdim=True).values)
            p = torch.exp(s - m_new)
            if causal:
                keys = torch.arange(j, j + kt.shape[1], device=q.device)
                p = p * (keys[None] <= rows[:, None] + n_k - n_q)
            a = torch.exp(m - m_new)
            l = a * l + p.sum(-1, keepdim=True)
            acc = a * acc + p @ vt
            m = m_new
        o[:, i : i + tile_m] = torch.where(l > 0, acc / l, torch.zeros_like(acc))
    return o
