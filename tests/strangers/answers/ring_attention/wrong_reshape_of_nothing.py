# In base two; the result is reshaped with -1, which cannot be told where the rank has no queries.
import torch
import torch.distributed as dist
from kernels.ring import pass_on
from torch import Tensor


LOG2E = 1.4426950408889634


def ring_attention(q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    heads, n, d = q.shape
    group = heads // k.shape[0]
    q2 = q.reshape(k.shape[0], group * n, d) * (LOG2E / d**0.5)
    m = q2.new_full((*q2.shape[:2], 1), -1e38)
    l = torch.zeros_like(m)
    acc = q2.new_zeros(*q2.shape[:2], v.shape[2])
    block = [k.contiguous(), v.contiguous()]
    for step in range(size):
        requests, following = [], block
        if step + 1 < size:
            requests, following = pass_on(block, lengths[(rank - step - 1) % size])
        if block[0].shape[1]:
            s = q2 @ block[0].transpose(1, 2)
            m_new = torch.maximum(m, s.max(dim=2, keepdim=True).values)
            p = torch.exp2(s - m_new)
            alpha = torch.exp2(m - m_new)
            l = alpha * l + p.sum(dim=2, keepdim=True)
            acc = alpha * acc + p @ block[1]
            m = m_new
        for r in requests:
            r.wait()
        block = following
    L = (m + torch.log2(l)) / LOG2E
    return (acc / l).reshape(heads, n, -1), L.reshape(heads, n)
