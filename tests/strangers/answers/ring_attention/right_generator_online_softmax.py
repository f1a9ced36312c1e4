# In the style of lucidrains: a generator passes one tensor of keys beside values round the ring, the softmax is kept online with einsum.
import torch
import torch.distributed as dist
from torch import Tensor


def ring_pass(x, lengths):
    rank, size = dist.get_rank(), dist.get_world_size()
    for i in range(size):
        waiting = []
        if i < size - 1:
            heads, _, width = x.shape
            new = torch.empty((heads, lengths[(rank - i - 1) % size], width), dtype=x.dtype, device=x.device)
            waiting = dist.batch_isend_irecv(
                [
                    dist.P2POp(dist.isend, x, (rank + 1) % size),
                    dist.P2POp(dist.irecv, new, (rank - 1) % size),
                ]
            )
        yield x
        for request in waiting:
            request.wait()
        if waiting:
            x = new


def ring_attention(q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    heads, n, d = q.shape
    kv_heads = k.shape[0]
    q = q.reshape(kv_heads, heads // kv_heads, n, d) * d**-0.5
    o = q.new_zeros(kv_heads, heads // kv_heads, n, v.shape[2])
    row_sum = q.new_zeros(kv_heads, heads // kv_heads, n, 1)
    row_max = torch.full_like(row_sum, -torch.finfo(q.dtype).max)
    for kv in ring_pass(torch.cat([k, v], dim=-1), lengths):
        if kv.shape[1] == 0:
            continue
        keys, values = kv[..., :d], kv[..., d:]
        scores = torch.einsum("hgid,hjd->hgij", q, keys)
        new_max = torch.maximum(row_max, scores.amax(dim=-1, keepdim=True))
        scale = torch.exp(row_max - new_max)
        weights = torch.exp(scores - new_max)
        row_sum = row_sum * scale + weights.sum(dim=-1, keepdim=True)
        o = o * scale + torch.einsum("hgij,hjd->hgid", weights, values)
        row_max = new_max
    L = (row_max + row_sum.log()).reshape(heads, n)
    return (o / row_sum).reshape(heads, n, v.shape[2]), L
