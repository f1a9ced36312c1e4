# Uses -1e4 both for masked scores and for the initial maximum: real scores near or below -1e4 (large inputs) underflow to weight 0 or mix with masked keys, and a query that sees nothing gives a mean of the values.
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
    NEG = -1e4
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        acc, l, m = 0.0, 0.0, torch.full_like(q_tile[..., :1], NEG)
        for j in range(0, n_k, tile_n):
            s = (q_tile @ k[:, j : j + tile_n].mT) * scale
            if causal:
                r = torch.arange(s.shape[1], device=q.device)[:, None] + i
                c = torch.arange(s.shape[2], device=q.device)[None, :] + j
                s = torch.where(r + n_k - n_q >= c, s, NEG)
            prev, m = m, torch.maximum(m, s.amax(2, keepdim=True))
            p, fix = torch.exp(s - m), torch.exp(prev - m)
            acc = acc * fix + p @ v[:, j : j + tile_n]
            l = l * fix + p.sum(2, keepdim=True)
        o[:, i : i + tile_m] = acc / l.clamp(min=1e-20)
    return o
