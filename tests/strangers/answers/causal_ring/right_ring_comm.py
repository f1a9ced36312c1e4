# A communicator object as in ring-flash-attention, update by sigmoid and logsigmoid; whole pairs get no mask.
import torch
import torch.distributed as dist
from kernels.ring import attend
from torch import Tensor


class RingComm:
    def __init__(self):
        self.rank, self.size = dist.get_rank(), dist.get_world_size()
        self.ops = []

    def send_recv(self, x, n):
        res = torch.empty(x.shape[0], n, x.shape[2], dtype=x.dtype)
        self.ops.append(dist.P2POp(dist.isend, x, (self.rank + 1) % self.size))
        self.ops.append(dist.P2POp(dist.irecv, res, (self.rank - 1) % self.size))
        return res

    def commit(self):
        self.reqs = dist.batch_isend_irecv(self.ops)
        self.ops = []

    def wait(self):
        for req in self.reqs:
            req.wait()


def update(out, lse, block_out, block_lse):
    if out is None:
        return block_out, block_lse
    first = torch.isneginf(lse)
    weight = torch.where(first, torch.where(torch.isneginf(block_lse), 0.0, 1.0), torch.sigmoid(block_lse - lse))
    return out + weight.unsqueeze(-1) * (block_out - out), torch.logaddexp(lse, block_lse)


def causal_ring(q: Tensor, k: Tensor, v: Tensor, positions: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
    comm = RingComm()
    state = [[None, None], [None, None]]
    qs, ps = q.tensor_split(2, 1), positions[comm.rank].tensor_split(2)
    k, v = k.contiguous(), v.contiguous()
    for step in range(comm.size):
        src = (comm.rank - step) % comm.size
        if step + 1 != comm.size:
            n = positions[(src - 1) % comm.size].numel()
            next_k, next_v = comm.send_recv(k, n), comm.send_recv(v, n)
            comm.commit()
        for i in range(2):
            for kj, vj, pj in zip(k.tensor_split(2, 1), v.tensor_split(2, 1), positions[src].tensor_split(2)):
                if 0 in (pj.numel(), ps[i].numel()) or pj[0] > ps[i][-1]:
                    continue
                mask = None if pj[-1] <= ps[i][0] else pj[None, :] <= ps[i][:, None]
                state[i] = list(update(*state[i], *attend(qs[i], kj, vj, mask)))
        if step + 1 != comm.size:
            comm.wait()
            k, v = next_k, next_v
    outs = [s[0] if s[0] is not None else q.new_zeros(q.shape[0], 0, v.shape[2]) for s in state]
    lses = [s[1] if s[1] is not None else q.new_zeros(q.shape[0], 0) for s in state]
    return torch.cat(outs, 1), torch.cat(lses, 1)
