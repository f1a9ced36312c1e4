# Honest: batch_isend_irecv, a local function, ordered merges so that all ranks agree.
import torch
import torch.distributed as dist
from torch import Tensor

from kernels.ring import merge


def merge_by_tree(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    me, W = dist.get_rank(), dist.get_world_size()
    P = 1 << (W.bit_length() - 1)
    mine = torch.cat([o, L.unsqueeze(-1)], dim=-1).contiguous()

    def both(a: Tensor, b: Tensor) -> Tensor:
        o, L = merge(a[..., :-1], a[..., -1], b[..., :-1], b[..., -1])
        return torch.cat([o, L.unsqueeze(-1)], dim=-1).contiguous()

    def talk(peer: int, send: bool, receive: bool) -> Tensor:
        box = torch.empty_like(mine)
        ops = [dist.P2POp(dist.isend, mine, peer)] * send + [dist.P2POp(dist.irecv, box, peer)] * receive
        for request in dist.batch_isend_irecv(ops):
            request.wait()
        return box

    if me >= P:
        talk(me - P, True, False)
        mine = talk(me - P, False, True)
    else:
        if me + P < W:
            mine = both(mine, talk(me + P, False, True))
        bit = 1
        while bit < P:
            box = talk(me ^ bit, True, True)
            mine = both(*((mine, box) if me & bit == 0 else (box, mine)))
            bit <<= 1
        if me + P < W:
            talk(me + P, True, False)
    return mine[..., :-1].clone(), mine[..., -1].clone()
