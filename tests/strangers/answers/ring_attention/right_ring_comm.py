# Port in the style of ring-flash-attention: a communicator with send_recv, commit and wait, and the update by sigmoid and logsigmoid.
import torch
import torch.distributed as dist
import torch.nn.functional as F
from kernels.ring import attend
from torch import Tensor


class RingComm:
    def __init__(self, process_group=None):
        self._process_group = process_group
        self._ops = []
        self.rank = dist.get_rank(process_group)
        self.world_size = dist.get_world_size(process_group)
        self._reqs = None
        self.send_rank = (self.rank + 1) % self.world_size
        self.recv_rank = (self.rank - 1) % self.world_size

    def send_recv(self, to_send, recv_tensor=None):
        res = torch.empty_like(to_send) if recv_tensor is None else recv_tensor
        self._ops.append(dist.P2POp(dist.isend, to_send, self.send_rank, group=self._process_group))
        self._ops.append(dist.P2POp(dist.irecv, res, self.recv_rank, group=self._process_group))
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


def update_out_and_lse(out, lse, block_out, block_lse):
    if out is None:
        return block_out, block_lse.unsqueeze(-1)
    block_lse = block_lse.unsqueeze(-1)
    out = out - F.sigmoid(block_lse - lse) * (out - block_out)
    lse = lse - F.logsigmoid(lse - block_lse)
    return out, lse


def ring_attention(q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    comm = RingComm()
    k, v = k.contiguous(), v.contiguous()
    out = lse = None
    for step in range(comm.world_size):
        if step + 1 != comm.world_size:
            n = lengths[(comm.rank - step - 1) % comm.world_size]
            next_k = comm.send_recv(k, k.new_empty(k.shape[0], n, k.shape[2]))
            next_v = comm.send_recv(v, v.new_empty(v.shape[0], n, v.shape[2]))
            comm.commit()
        out, lse = update_out_and_lse(out, lse, *attend(q, k, v))
        if step + 1 != comm.world_size:
            comm.wait()
            k, v = next_k, next_v
    return out, lse.squeeze(-1)
