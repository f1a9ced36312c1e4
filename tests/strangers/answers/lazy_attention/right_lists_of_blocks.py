# Keys and values as lists of blocks, split beforehand; the state of a tile in a small class of its own.
class State:
    def __init__(self, like: Tensor, d_v: int):
        self.m = like.new_full((*like.shape[:2], 1), -torch.inf)
        self.l = like.new_zeros(*like.shape[:2], 1)
        self.acc = like.new_zeros(*like.shape[:2], d_v)

    def meet(self, scores: Tensor, values: Tensor) -> None:
        m = torch.maximum(self.m, scores.amax(-1, keepdim=True))
        base = torch.where(m == -torch.inf, 0.0, m)
        a, p = torch.exp(self.m - base), torch.exp(scores - base)
        self.l = self.l * a + p.sum(-1, keepdim=True)
        self.acc = self.acc * a + p @ values
        self.m = m

    def result(self) -> Tensor:
        return self.acc / torch.where(self.l == 0, 1.0, self.l)


def lazy_attention(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    keys, values = k.split(tile_n, dim=1), v.split(tile_n, dim=1)
    for i, rows in enumerate(q.split(tile_m, dim=1)):
        state = State(rows, v.shape[-1])
        for j, (key, value) in enumerate(zip(keys, values)):
            if key.shape[1] == 0:
                continue
            s = scale * (rows @ key.transpose(1, 2))
            if causal:
                last = torch.arange(i * tile_m, i * tile_m + rows.shape[1])[:, None] + n_k - n_q
                s = s.masked_fill(torch.arange(j * tile_n, j * tile_n + key.shape[1]) > last, -torch.inf)
            state.meet(s, value)
        if rows.shape[1]:
            o[:, i * tile_m : (i + 1) * tile_m] = state.result()
    return o
