# The port's online softmax from -inf: an empty block leaves -inf minus -inf, which is NaN, and amax of nothing fails.
import torch
import torch.distributed as dist
from kernels.ring import pass_on
from torch import Tensor


def ring_attention(q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    heads, n, d = q.shape
    g = heads // k.shape[0]
    qs = q.reshape(k.shape[0], g * n, d) * d**-0.5
    m = qs.new_full((*qs.shape[:2], 1), -torch.inf)
    l, acc = torch.zeros_like(m), qs.new_zeros(*qs.shape[:2], v.shape[2])
    block = [k.contiguous(), v.contiguous()]
    for step in range(size):
        requests, coming = [], None
        if step < size - 1:
            requests, coming = pass_on(block, lengths[(rank - step - 1) % size])
        s = qs @ block[0].mT
        m_new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, alpha = torch.exp(s - m_new), torch.exp(m - m_new)
        l, acc, m = alpha * l + p.sum(-1, keepdim=True), alpha * acc + p @ block[1], m_new
        for request in requests:
            request.wait()
        block = coming
    return (acc / l).reshape(heads, n, -1), (m + l.log()).reshape(heads, n)
