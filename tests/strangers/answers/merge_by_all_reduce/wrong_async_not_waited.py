# plain: the calls are asynchronous, and nobody waits for what they sum
import torch
import torch.distributed as dist


def merge_by_all_reduce(o, L):
    m = L.contiguous().clone()
    dist.all_reduce(m, op=dist.ReduceOp.MAX, async_op=True).wait()
    base = torch.where(m.isneginf(), 0, m)
    w = torch.exp(L - base)[..., None]
    x = torch.cat([o * w, w], -1)
    request = dist.all_reduce(x, async_op=True)
    l = x[..., -1]
    out = x[..., :-1] / torch.where(l == 0, 1, l)[..., None], base + torch.log(l)
    request.wait()
    return out
