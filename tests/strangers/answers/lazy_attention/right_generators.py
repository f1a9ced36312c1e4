# generators of index pairs, functools.partial for the mask, a dataclass state, einsum
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor


@dataclass
class State:
    acc: Tensor
    m: Tensor
    l: Tensor

    @classmethod
    def fresh(cls, h, n, d, like):
        return cls(like.new_zeros(h, n, d), like.new_full((h, n, 1), -torch.inf), like.new_zeros(h, n, 1))

    def meet(self, s, v):
        top = torch.maximum(self.m, s.max(dim=-1, keepdim=True).values)
        base = top.masked_fill(torch.isneginf(top), 0.0)
        a = torch.exp(self.m - base)
        p = torch.exp_(s.sub_(base))
        self.acc = torch.einsum("hij,hjd->hid", p, v).addcmul_(a, self.acc)
        self.l = a * self.l + p.sum(-1, keepdim=True)
        self.m = top

    def result(self):
        return self.acc / torch.where(self.l > 0, self.l, torch.ones_like(self.l))


def spans(n, size):
    yield from ((i, min(i + size, n)) for i in range(0, n, size))


def hide(rows, columns, shift):
    i = torch.arange(*rows).unsqueeze(1)
    j = torch.arange(*columns).unsqueeze(0)
    return j > i + shift


def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for rows in spans(n_q, tile_m):
        state = State.fresh(q.shape[0], rows[1] - rows[0], v.shape[-1], q)
        hidden = partial(hide, rows, shift=n_k - n_q)
        q_tile = q.narrow(1, rows[0], rows[1] - rows[0])
        for columns in spans(n_k, tile_n):
            if causal and columns[0] > rows[1] - 1 + n_k - n_q:
                break
            size = columns[1] - columns[0]
            s = torch.einsum("hid,hjd->hij", q_tile, k.narrow(1, columns[0], size)).mul_(scale)
            if causal:
                s.masked_fill_(hidden(columns), -torch.inf)
            state.meet(s, v.narrow(1, columns[0], size))
        o.narrow(1, rows[0], rows[1] - rows[0]).copy_(state.result())
    return o
