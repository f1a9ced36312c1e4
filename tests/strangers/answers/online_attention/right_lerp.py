# the log-sum-exp form with a sigmoid-like weight and lerp, an object with a memory of (o, lse), callable class
import torch


class Mixture:
    """The output and log-sum-exp of the keys seen so far."""

    def __init__(self, rows, width, like):
        self.o = like.new_zeros(rows, width)
        self.m = like.new_full((rows, 1), -torch.inf)
        self.l = like.new_zeros(rows, 1)

    def __call__(self, scores, values):
        top = scores.amax(1, keepdim=True)
        base = top.clamp(min=torch.finfo(top.dtype).min)
        weights = (scores - base).exp()
        mass = weights.sum(1, keepdim=True)
        mean = (weights @ values) / mass.clamp(min=1.0)  # the largest weight is 1, or all are 0
        m = torch.maximum(self.m, top)
        safe = m.clamp(min=torch.finfo(m.dtype).min)
        old, new = self.l * (self.m - safe).exp(), mass * (top - safe).exp()
        share = new / (old + new).clamp(min=torch.finfo(m.dtype).tiny)
        self.o = self.o.lerp(mean, share)
        self.m, self.l = m, old + new
        return self


def online_attention(q, k, v, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    mix = Mixture(n_q, v.shape[1], q)
    for first in range(0, n_k, tile_n):
        stop = min(n_k, first + tile_n)
        s = torch.mm(q, k[first:stop].t()).mul_(scale)
        if causal:
            # entry (i, j) of the chunk is seen if first + j <= i + n_k - n_q
            s += torch.full_like(s, -torch.inf).triu_(n_k - n_q - first + 1)
        mix(s, v[first:stop])
    return mix.o
