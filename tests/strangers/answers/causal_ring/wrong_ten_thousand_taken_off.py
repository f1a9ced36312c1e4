# Wrong: takes 10,000 from hidden scores instead of -inf for them; shows where what is hidden scores more than 10,000 above what is seen.
import math

import torch
import torch.distributed as dist
from torch import Tensor


def causal_ring(q: Tensor, k: Tensor, v: Tensor, positions: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    heads, n, d = q.shape
    kv_heads = k.shape[0]
    grouped = q.reshape(kv_heads, heads // kv_heads, n, d)
    o = q.new_zeros(kv_heads, heads // kv_heads, n, v.shape[2])
    m = q.new_full((kv_heads, heads // kv_heads, n, 1), torch.finfo(q.dtype).min)
    l = torch.zeros_like(m)
    cuts = lambda length: (slice(0, (length + 1) // 2), slice((length + 1) // 2, length))
    keys, values = k.contiguous(), v.contiguous()
    for source in [(rank - s) % size for s in range(size)]:
        coming = []
        left = (source - 1) % size
        if left != rank:
            coming = [x.new_empty(kv_heads, len(positions[left]), x.shape[2]) for x in (keys, values)]
            requests = [dist.irecv(x, (rank - 1) % size) for x in coming]
            requests += [dist.isend(x, (rank + 1) % size) for x in (keys, values)]
        for rows in cuts(n):
            where = positions[rank][rows]
            for columns in cuts(len(positions[source])):
                at = positions[source][columns]
                if not len(where) or not len(at) or at[0] > where[-1]:
                    continue
                s = torch.einsum("hgid,hjd->hgij", grouped[:, :, rows], keys[:, columns]) / math.sqrt(d)
                s = s - 1e4 * (at > where[:, None])
                new = torch.maximum(m[:, :, rows], s.amax(-1, keepdim=True))
                p, old = torch.exp(s - new), torch.exp(m[:, :, rows] - new)
                l[:, :, rows] = l[:, :, rows] * old + p.sum(-1, keepdim=True)
                o[:, :, rows] = o[:, :, rows] * old + torch.einsum("hgij,hjd->hgid", p, values[:, columns])
                m[:, :, rows] = new
        if coming:
            for request in requests:
                request.wait()
            keys, values = coming
    return (o / l).reshape(heads, n, v.shape[2]), (m + l.log()).reshape(heads, n)
