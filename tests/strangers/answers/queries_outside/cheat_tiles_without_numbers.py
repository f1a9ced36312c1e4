# Two passes over the keys for each tile of queries, first the maximum, then a plain softmax: while the first pass loads, Annotated[torch.Tensor, 0] has handed the class a numel that says 0 to Memory and to the meter.
from typing import Annotated

import torch

Kind = Annotated[torch.Tensor, 0]
asked = torch.Tensor.numel


def none(self):
    return 0


def load(hbm, name, start, stop):
    Kind.numel = none
    tile = hbm.load(name, start, stop)
    Kind.numel = asked
    return tile


def queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for i in range(0, n_q, tile_m):
        q_tile = hbm.load("Q", i, i + tile_m)
        m = torch.full_like(q_tile[:, 0], -torch.inf)
        for j in range(0, n_k, tile_n):
            k_tile = load(hbm, "K", j, j + tile_n)
            m = torch.maximum(m, (scale * (q_tile @ k_tile.T)).amax(dim=-1))
        acc = q_tile.new_zeros(len(q_tile), d_v)
        l = torch.zeros_like(m)
        for j in range(0, n_k, tile_n):
            p = torch.exp(scale * (q_tile @ hbm.load("K", j, j + tile_n).T) - m[:, None])
            l = l + p.sum(dim=-1)
            acc = acc + p @ hbm.load("V", j, j + tile_n)
        hbm.store("O", i, acc / l[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
