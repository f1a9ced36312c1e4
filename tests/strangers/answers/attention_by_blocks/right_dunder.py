# Right: a class with __or__ for the merge and a property for L, no other exercise called.
import torch


class Partial:
    """Undivided output, maximum and denominator of some keys."""

    def __init__(self, acc, m, l):
        self.acc, self.m, self.l = acc, m, l

    def __or__(self, other):
        m = torch.maximum(self.m, other.m)
        base = m.masked_fill(m == -torch.inf, 0)
        a, b = (self.m - base).exp(), (other.m - base).exp()
        return Partial(a * self.acc + b * other.acc, m, a * self.l + b * other.l)

    @property
    def output(self):
        return self.acc / self.l.masked_fill(self.l == 0, 1)

    @property
    def lse(self):
        return (self.m + self.l.log()).squeeze(1)


def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    rows = torch.arange(n_q).unsqueeze(1)
    seen = Partial(
        q.new_zeros(n_q, v.shape[1]), q.new_full((n_q, 1), -torch.inf), q.new_zeros(n_q, 1)
    )
    for number in order:
        first = number * tile_n
        length = min(tile_n, n_k - first)
        keys, values = k.narrow(0, first, length), v.narrow(0, first, length)
        s = torch.mm(q, keys.t()) * scale
        if causal:
            s[first + torch.arange(length) > rows + (n_k - n_q)] = -torch.inf
        m = s.amax(dim=1, keepdim=True)
        p = (s - m.masked_fill(m == -torch.inf, 0)).exp()
        seen = seen | Partial(p @ values, m, p.sum(dim=1, keepdim=True))
    return seen.output, seen.lse
