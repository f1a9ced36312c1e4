# style: RingComm class as in ring-flash-attention (send_recv, commit, wait)
import torch
import torch.distributed as dist
from torch import Tensor

from kernels.ring import attend, merge


class RingComm:
    def __init__(self):
        self._ops = []
        self._reqs = None
        self.rank = dist.get_rank()
        self.world_size = dist.get_world_size()
        self.send_rank = (self.rank + 1) % self.world_size
        self.recv_rank = (self.rank - 1) % self.world_size

    def send_recv(self, to_send: Tensor, res: Tensor) -> Tensor:
        self._ops.append(dist.P2POp(dist.isend, to_send, self.send_rank))
        self._ops.append(dist.P2POp(dist.irecv, res, self.recv_rank))
        return res

    def commit(self):
        if self._reqs is not None:
            raise RuntimeError("commit called twice")
        self._reqs = dist.batch_isend_irecv(self._ops)

    def wait(self):
        if self._reqs is None:
            raise RuntimeError("wait called before commit")
        for req in self._reqs:
            req.wait()
        self._reqs = None
        self._ops = []


def ring_attention(
    q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor]:
    comm = RingComm()
    out = q.new_zeros(*q.shape[:2], v.shape[2])
    lse = q.new_full(q.shape[:2], -torch.inf)
    k, v = k.contiguous(), v.contiguous()
    next_k, next_v = None, None
    for step in range(comm.world_size):
        if step + 1 != comm.world_size:
            length = lengths[(comm.rank - step - 1) % comm.world_size]
            next_k = comm.send_recv(k, k.new_empty(k.shape[0], length, k.shape[2]))
            next_v = comm.send_recv(v, v.new_empty(v.shape[0], length, v.shape[2]))
            comm.commit()
        if k.shape[1] > 0:
            block_out, block_lse = attend(q, k, v)
            out, lse = merge(out, lse, block_out, block_lse)
        if step + 1 != comm.world_size:
            comm.wait()
            k, v = next_k, next_v
    return out, lse
