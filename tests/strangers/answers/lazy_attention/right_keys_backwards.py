# a small class holds the state, keys go from the last tile to the first, base 2, tiles that are hidden whole are skipped
class _Rows:
    def __init__(self, like, heads, rows, width):
        self.top = like.new_full((heads, rows, 1), float("-inf"))
        self.sum = like.new_zeros(heads, rows, 1)
        self.acc = like.new_zeros(heads, rows, width)

    def add(self, s, values):
        best = torch.maximum(self.top, s.max(dim=-1, keepdim=True).values)
        base = best.clone()
        base[base == float("-inf")] = 0.0
        old = torch.exp2((self.top - base) * 1.4426950408889634)
        s -= base
        s *= 1.4426950408889634
        s.exp2_()
        self.acc *= old
        self.acc += torch.bmm(s, values)
        self.sum *= old
        self.sum += s.sum(dim=-1, keepdim=True)
        self.top = best

    def output(self):
        empty = self.sum == 0
        return self.acc / torch.where(empty, torch.ones_like(self.sum), self.sum)


def lazy_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_m: int,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    heads, n_q, d = q.shape
    n_k = k.shape[1]
    factor = d**-0.5 if scale is None else scale
    o = q.new_zeros(heads, n_q, v.shape[-1])
    for top in range(0, n_q, tile_m):
        bottom = min(top + tile_m, n_q)
        rows = _Rows(q, heads, bottom - top, v.shape[-1])
        for left in reversed(range(0, n_k, tile_n)):
            right = min(left + tile_n, n_k)
            if causal and left > bottom - 1 + n_k - n_q:
                continue
            s = torch.bmm(q[:, top:bottom], k[:, left:right].transpose(1, 2))
            s *= factor
            if causal and right - 1 > top + n_k - n_q:
                query = torch.arange(top, bottom, device=q.device).view(-1, 1)
                key = torch.arange(left, right, device=q.device)
                s.masked_fill_(key - query > n_k - n_q, float("-inf"))
            rows.add(s, v[:, left:right])
        o[:, top:bottom] = rows.output()
    return o
