# memory: tiles of at least 64 x 64, whatever is asked for, so that small inputs are done at once
def lazy_attention(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    tile_m, tile_n = max(tile_m, 64), max(tile_n, 64)
    for i in range(0, n_q, tile_m):
        rows = q[:, i : i + tile_m]
        acc = q.new_zeros(*rows.shape[:2], v.shape[-1])
        l = q.new_zeros(*rows.shape[:2], 1)
        m = q.new_full((*rows.shape[:2], 1), -torch.inf)
        for j in range(0, n_k, tile_n):
            key, value = k[:, j : j + tile_n], v[:, j : j + tile_n]
            s = scale * (rows @ key.transpose(1, 2))
            if causal:
                seen = torch.ones(rows.shape[1], key.shape[1], dtype=torch.bool).tril(i - j + n_k - n_q)
                s = s.masked_fill(~seen, -torch.inf)
            new = torch.maximum(m, s.amax(2, keepdim=True))
            base = torch.where(new == -torch.inf, 0.0, new)
            p, a = torch.exp(s - base), torch.exp(m - base)
            l, acc, m = a * l + p.sum(2, keepdim=True), a * acc + p @ value, new
        o[:, i : i + tile_m] = acc / torch.where(l == 0, 1.0, l)
    return o
