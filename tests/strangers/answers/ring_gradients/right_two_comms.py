# As ring-flash-attention does it: one communicator for keys and values and one for their gradients.
import torch
import torch.distributed as dist
from kernels.ring import block_gradients
from torch import Tensor


class RingComm:
    def __init__(self, lengths):
        self.rank, self.world_size = dist.get_rank(), dist.get_world_size()
        self.lengths, self.ops, self.reqs = lengths, [], []

    def send_recv(self, x, source):
        res = torch.empty((x.shape[0], self.lengths[source % self.world_size], x.shape[2]), dtype=x.dtype)
        self.ops += [
            dist.P2POp(dist.isend, x, (self.rank + 1) % self.world_size),
            dist.P2POp(dist.irecv, res, (self.rank - 1) % self.world_size),
        ]
        return res

    def commit(self):
        self.reqs, self.ops = dist.batch_isend_irecv(self.ops), []

    def wait(self):
        for req in self.reqs:
            req.wait()
        self.reqs = []


def ring_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    kv_comm, d_kv_comm = RingComm(lengths), RingComm(lengths)
    rank, size = kv_comm.rank, kv_comm.world_size
    delta = torch.einsum("hic,hic->hi", do, o)
    dq = dk = dv = next_dk = next_dv = None
    k, v = k.contiguous(), v.contiguous()
    for step in range(size):
        if step + 1 != size:
            next_k = kv_comm.send_recv(k, rank - step - 1)
            next_v = kv_comm.send_recv(v, rank - step - 1)
            kv_comm.commit()
        block_dq, block_dk, block_dv = block_gradients(q, k, v, L, do, delta)
        if dq is None:
            dq, dk, dv = block_dq, block_dk, block_dv
        else:
            dq += block_dq
            d_kv_comm.wait()
            dk, dv = block_dk + next_dk, block_dv + next_dv
        if step + 1 != size:
            kv_comm.wait()
            k, v = next_k, next_v
        if size > 1:
            next_dk = d_kv_comm.send_recv(dk.contiguous(), rank - step - 1)
            next_dv = d_kv_comm.send_recv(dv.contiguous(), rank - step - 1)
            d_kv_comm.commit()
    d_kv_comm.wait()
    return (dq, next_dk, next_dv) if size > 1 else (dq, dk, dv)
