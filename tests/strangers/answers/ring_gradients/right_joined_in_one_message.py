# Keys beside values in one tensor, and their gradients likewise, with isend and irecv and a formula of its own.
import math

import torch
import torch.distributed as dist
from torch import Tensor


def block(q, kv, d, L, do, delta):
    k, v = kv[..., :d], kv[..., d:]
    g = q.shape[0] // k.shape[0]
    fold = lambda x: x.unflatten(0, (k.shape[0], g))
    q, do, L, delta = fold(q), fold(do), fold(L), fold(delta)
    p = torch.exp(torch.einsum("hgid,hjd->hgij", q, k) / math.sqrt(d) - L.unsqueeze(-1))
    ds = p * (torch.einsum("hgic,hjc->hgij", do, v) - delta.unsqueeze(-1)) / math.sqrt(d)
    dk = torch.einsum("hgij,hgid->hjd", ds, q)
    dv = torch.einsum("hgij,hgic->hjc", p, do)
    return torch.einsum("hgij,hjd->hgid", ds, k).flatten(0, 1), torch.cat([dk, dv], -1)


def ring_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    right, left, d = (rank + 1) % size, (rank - 1) % size, q.shape[2]
    delta = (o * do).sum(-1)
    kv = torch.cat([k, v], -1)
    dq, arriving, pending = 0, None, []
    for step in range(size):
        n = lengths[(rank - step - 1) % size]
        kv_pending = []
        if step < size - 1:
            kv_in = kv.new_empty(kv.shape[0], n, kv.shape[2])
            kv_pending = [dist.irecv(kv_in, left, tag=1), dist.isend(kv, right, tag=1)]
        dq_part, dkv = block(q, kv, d, L, do, delta)
        dq = dq + dq_part
        for request in pending:
            request.wait()
        if arriving is not None:
            dkv = dkv + arriving
        if size == 1:
            arriving = dkv
            break
        arriving = dkv.new_empty(kv.shape[0], n, kv.shape[2])
        pending = [dist.irecv(arriving, left, tag=2), dist.isend(dkv, right, tag=2)]
        for request in kv_pending:
            request.wait()
        if kv_pending:
            kv = kv_in
    for request in pending:
        request.wait()
    return dq, arriving[..., :d].contiguous(), arriving[..., d:].contiguous()
