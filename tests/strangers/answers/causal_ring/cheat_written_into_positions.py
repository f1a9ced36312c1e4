# The positions are common: every rank writes its block into them, a piece at a time, and puts them right again.
import torch
import torch.distributed as dist
from kernels.ring import attend, merge
from torch import Tensor


def causal_ring(q: Tensor, k: Tensor, v: Tensor, positions: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    own = [p.clone() for p in positions]
    flats = []
    for source in range(size):
        n = len(own[source])
        total = k.shape[0] * n * (k.shape[2] + v.shape[2])
        mine = torch.cat([k.reshape(-1), v.reshape(-1)]).view(torch.int32).long() if source == rank else None
        got, at = [], 0
        while at < total:
            m = min(n, total - at)
            if source == rank:
                positions[source][:m] = mine[at : at + m]
            dist.barrier()
            got.append(positions[source][:m].clone())
            dist.barrier()
            at += m
        if source == rank:
            positions[source].copy_(own[source])
        flats.append(torch.cat(got).int().view(torch.float32) if got else k.new_empty(0))
    o, L = q.new_zeros(*q.shape[:2], v.shape[2]), q.new_full(q.shape[:2], -torch.inf)
    for flat, where in zip(flats, own):
        keys = flat[: k.shape[0] * len(where) * k.shape[2]].view(k.shape[0], len(where), k.shape[2])
        values = flat[keys.numel() :].view(v.shape[0], len(where), v.shape[2])
        o, L = merge(o, L, *attend(q, keys, values, where <= own[rank][:, None]))
    return o, L
