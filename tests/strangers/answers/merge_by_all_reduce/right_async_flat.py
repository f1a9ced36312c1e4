# asynchronous calls that are waited for at once; one flat vector holds numerators and denominators
import torch
import torch.distributed as dist


def merge_by_all_reduce(o, L):
    m = L.contiguous().clone()
    dist.all_reduce(m, op=dist.ReduceOp.MAX, async_op=True).wait()
    weight = torch.exp(L - torch.where(torch.isinf(m), torch.zeros_like(m), m))
    flat = torch.cat([(o * weight[..., None]).reshape(-1), weight.reshape(-1)])
    dist.all_reduce(flat, async_op=True).wait()
    top, bottom = flat[: o.numel()].reshape(o.shape), flat[o.numel() :].reshape(L.shape)
    empty = bottom == 0
    return top / (bottom + empty.float())[..., None], torch.where(empty, -torch.inf, m + bottom.log())
