# the denominator stands in the first column of the packed tensor, the input's layout is left aside by reshape
import torch
import torch.distributed as dist


def merge_by_all_reduce(o, L):
    peak = torch.empty(L.shape)
    peak.copy_(L)
    dist.all_reduce(peak, dist.ReduceOp.MAX)
    base = peak.nan_to_num(neginf=0.0)
    w = (L - base).exp()
    packed = torch.empty(o.shape[0], o.shape[1], o.shape[2] + 1)
    packed[..., 0] = w
    packed[..., 1:] = o * w.unsqueeze(-1)
    dist.all_reduce(packed, op=dist.ReduceOp.SUM)
    total = packed[..., 0]
    out = torch.where(total[..., None] > 0, packed[..., 1:] / total[..., None], 0.0)
    return out, base + total.log()
