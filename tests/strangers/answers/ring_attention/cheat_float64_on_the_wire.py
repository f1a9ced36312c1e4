# BREAKS: "each block goes from rank to rank W - 1 times, K and V in one message or in two"
# COSTS: every block travels in float64: twice the bytes on every link, and twice the memory of a block
import torch
import torch.distributed as dist
from torch import Tensor
from kernels.ring import attend, block_gradients, merge
from kernels.ring import pass_on


def ring_attention(
    q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    o, L = q.new_zeros(*q.shape[:2], v.shape[2]), q.new_full(q.shape[:2], -torch.inf)
    keys, values = k.contiguous(), v.contiguous()
    block = torch.cat([keys, values], dim=-1).double()
    for step in range(size):
        transfers, coming = [], None
        if step < size - 1:
            coming = block.new_empty(block.shape[0], lengths[(rank - step - 1) % size], block.shape[2])
            transfers = dist.batch_isend_irecv([
                dist.P2POp(dist.isend, block, (rank + 1) % size),
                dist.P2POp(dist.irecv, coming, (rank - 1) % size),
            ])
        if block.shape[1]:
            a, b = block.float().split([k.shape[2], v.shape[2]], dim=-1)
            rows = q.reshape(len(k), -1, q.shape[2])
            s = rows @ a.mT * q.shape[2] ** -0.5
            new = s.logsumexp(dim=-1)
            out = (torch.exp(s - new[..., None]) @ b).reshape(o.shape)
            new = new.reshape(L.shape)
            both = torch.logaddexp(L, new)
            o = torch.exp(L - both)[..., None] * o + torch.exp(new - both)[..., None] * out
            L = both
        for transfer in transfers:
            transfer.wait()
        block = coming
    return o, L
