# large-positive: the first call sums, since op is not given
import torch
import torch.distributed as dist


def merge_by_all_reduce(o, L):
    m = L.contiguous().clone()
    dist.all_reduce(m)
    base = torch.where(m.isneginf(), 0, m)
    w = torch.exp(L - base)[..., None]
    x = torch.cat([o * w, w], -1)
    dist.all_reduce(x)
    l = x[..., -1]
    return x[..., :-1] / torch.where(l == 0, 1, l)[..., None], base + torch.log(l)
