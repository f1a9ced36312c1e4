# Object-oriented: a state that absorbs chunks and is a weighted mean of the old output and the chunk's own.
class Running:
    """Output, maximum and denominator of every query over the keys met so far."""

    def __init__(self, rows, width, like):
        self.out = like.new_zeros((rows, width))
        self.top = like.new_full((rows, 1), float("-inf"))
        self.den = like.new_zeros((rows, 1))

    def absorb(self, scores, values):
        top = torch.maximum(self.top, scores.max(dim=-1, keepdim=True).values)
        base = top.nan_to_num(neginf=0.0)
        weights = (scores - base).exp()
        own = weights.sum(-1, keepdim=True)
        old = (self.top - base).exp() * self.den
        total = old + own
        part = torch.where(total > 0, 1 / total, torch.zeros_like(total))
        self.out = (old * part) * self.out + torch.einsum("rc,cv->rv", weights * part, values)
        self.top, self.den = top, total


def online_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    state = Running(n_q, v.shape[-1], q)
    last = torch.arange(n_q).add(n_k - n_q).unsqueeze(1)
    places = torch.arange(n_k).split(tile_n)
    for where, keys, values in zip(places, k.split(tile_n), v.split(tile_n)):
        scores = torch.einsum("id,jd->ij", q, keys) * scale
        if causal:
            scores = torch.where(where <= last, scores, float("-inf"))
        state.absorb(scores, values)
    return state.out
