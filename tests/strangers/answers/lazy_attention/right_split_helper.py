# helper on slices, base 2, baddbmm, tiles by split, mask as a tril of one tile, blind rows by a clamped denominator; keeps the contract
def _absorb(state, s, v):
    acc, m, l = state
    top = torch.maximum(m, s.amax(dim=2, keepdim=True))
    base = torch.where(top == -torch.inf, torch.zeros_like(top), top)
    p = (s - base).exp2_()
    fade = (m - base).exp2_()
    return torch.baddbmm(acc * fade, p, v), top, l * fade + p.sum(dim=2, keepdim=True)


def lazy_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_m: int,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    H, n_q, n_k = q.shape[0], q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    factor = scale * 1.4426950408889634
    o = q.new_empty(H, n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        rows = q[:, i : i + tile_m] * factor
        B = rows.shape[1]
        state = (
            q.new_zeros(H, B, v.shape[-1]),
            q.new_full((H, B, 1), -torch.inf),
            q.new_zeros(H, B, 1),
        )
        for j in range(0, n_k, tile_n):
            s = rows @ k[:, j : j + tile_n].transpose(1, 2)
            if causal:
                far = torch.ones(B, s.shape[2], dtype=torch.bool, device=q.device)
                far = far.triu(i - j + n_k - n_q + 1)
                s.masked_fill_(far, -torch.inf)
            state = _absorb(state, s, v[:, j : j + tile_n])
        acc, _, l = state
        o[:, i : i + tile_m] = acc / torch.where(l == 0, torch.ones_like(l), l)
    return o
