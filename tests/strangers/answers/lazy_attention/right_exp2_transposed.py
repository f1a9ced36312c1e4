# right: a state class with keys along the rows (S^T and acc^T), exponentials as powers of 2 of differences, one division at the end.
class _Rows:
    LOG2E = 1.4426950408889634

    def __init__(self, heads, rows, width, like):
        self.acc = like.new_zeros(heads, width, rows)
        self.l = like.new_zeros(heads, 1, rows)
        self.m = like.new_full((heads, 1, rows), -torch.inf)

    def add(self, scores, values):
        """scores (H, B_N, B_M), values (H, B_N, d_v)."""
        m = torch.maximum(self.m, scores.amax(dim=1, keepdim=True))
        base = m.masked_fill(torch.isneginf(m), 0)
        old = torch.exp2((self.m - base) * self.LOG2E)
        weights = torch.exp2((scores - base) * self.LOG2E)
        self.l = self.l * old + weights.sum(dim=1, keepdim=True)
        self.acc = torch.baddbmm(self.acc * old, values.mT, weights)
        self.m = m

    def output(self):
        return (self.acc / self.l.masked_fill(self.l == 0, 1)).mT


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
        state = _Rows(q.shape[0], q_tile.shape[1], v.shape[-1], q)
        last = torch.arange(i, i + q_tile.shape[1], device=q.device) + (n_k - n_q)
        for j in range(0, n_k, tile_n):
            k_tile = k[:, j : j + tile_n]
            S = torch.bmm(k_tile, q_tile.mT) * scale
            if causal:
                key = torch.arange(j, j + k_tile.shape[1], device=q.device)
                S = S.masked_fill(key[:, None] > last, -torch.inf)
            state.add(S, v[:, j : j + tile_n])
        o[:, i : i + tile_m] = state.output()
    return o
