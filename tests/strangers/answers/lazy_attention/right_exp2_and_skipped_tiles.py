# Scores in base 2 (scale times log2 e, exp2), key loop cut off behind the last visible key of the query tile, shift chosen by torch.where.
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
    per_bit = scale * 1.4426950408889634
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        H, B, _ = q_tile.shape
        limit = torch.arange(i, i + B, device=q.device)[:, None] + n_k - n_q
        stop = max(0, min(n_k, i + B + n_k - n_q)) if causal else n_k
        top, den = q.new_full((H, B), -torch.inf), q.new_zeros(H, B)
        num = q.new_zeros(H, B, v.shape[-1])
        for j in range(0, stop, tile_n):
            end = min(j + tile_n, stop)
            s = torch.matmul(q_tile, k[:, j:end].transpose(1, 2)) * per_bit
            if causal:
                s = torch.where(torch.arange(j, end, device=q.device) <= limit, s, -torch.inf)
            top2 = torch.maximum(top, s.amax(2))
            at = torch.where(top2.isneginf(), 0.0, top2)
            p = torch.exp2(s - at[:, :, None])
            a = torch.exp2(top - at)
            den = a * den + p.sum(2)
            num = a[:, :, None] * num + p @ v[:, j:end]
            top = top2
        o[:, i : i + B] = num / den.masked_fill(den == 0, 1)[:, :, None]
    return o
