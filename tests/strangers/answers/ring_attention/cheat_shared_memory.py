# Named shared memory of the operating system.
import torch
import torch.distributed as dist
from kernels.ring import attend, merge
from torch import Tensor


def ring_attention(q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    from multiprocessing import shared_memory

    rank, size = dist.get_rank(), dist.get_world_size()
    flat = torch.cat([k.reshape(-1), v.reshape(-1)]).numpy()
    mine = shared_memory.SharedMemory(f"ringblock{rank}", create=True, size=max(4, flat.nbytes))
    mine.buf[: flat.nbytes] = flat.tobytes()
    dist.barrier()
    o, L = attend(q, k, v)
    for step in range(1, size):
        n = lengths[(rank - step) % size]
        if not n:
            continue
        other = shared_memory.SharedMemory(f"ringblock{(rank - step) % size}")
        a, b = k.shape[0] * n * k.shape[2], k.shape[0] * n * v.shape[2]
        data = torch.frombuffer(bytearray(other.buf[: 4 * (a + b)]), dtype=torch.float32)
        o, L = merge(o, L, *attend(q, data[:a].view(-1, n, k.shape[2]), data[a:].view(-1, n, v.shape[2])))
    dist.barrier()
    mine.unlink()
    return o, L
