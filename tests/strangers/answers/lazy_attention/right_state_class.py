# a class for the state of a tile of queries, powers of two, keys visited from the last tile to the first; right
class Running:
    def __init__(self, heads, rows, width):
        self.acc = torch.zeros(heads, rows, width)
        self.top = torch.full((heads, rows, 1), -torch.inf)
        self.sum = torch.zeros(heads, rows, 1)

    def add(self, scores, values):
        """scores (heads, rows, keys) in units of log 2."""
        top = torch.maximum(self.top, scores.amax(dim=2, keepdim=True))
        base = torch.where(torch.isinf(top), torch.zeros_like(top), top)
        shrink = torch.exp2(self.top - base)
        scores.sub_(base).exp2_()
        self.sum.mul_(shrink).add_(scores.sum(dim=2, keepdim=True))
        self.acc.mul_(shrink).baddbmm_(scores, values)
        self.top = top

    def write(self, out):
        torch.div(self.acc, torch.where(self.sum == 0, 1.0, self.sum), out=self.acc)
        out.copy_(self.acc)


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
    to_twos = scale * 1.4426950408889634
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        state = Running(q.shape[0], q_tile.shape[1], v.shape[-1])
        for j in reversed(range(0, n_k, tile_n)):
            s = torch.bmm(q_tile, k[:, j : j + tile_n].transpose(1, 2)).mul_(to_twos)
            if causal:
                last = torch.arange(i, i + s.shape[1]).add_(n_k - n_q).unsqueeze(1)
                s.masked_fill_(torch.arange(j, j + s.shape[2]) > last, -torch.inf)
            state.add(s, v[:, j : j + tile_n])
        state.write(o[:, i : i + tile_m])
    return o
