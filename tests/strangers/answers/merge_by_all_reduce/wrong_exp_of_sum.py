# large-positive: one call, of e^L o and e^L, without a maximum
import torch
import torch.distributed as dist


def merge_by_all_reduce(o, L):
    w = torch.exp(L)[..., None]
    x = torch.cat([o * w, w], -1)
    dist.all_reduce(x)
    return torch.where(x[..., -1:] > 0, x[..., :-1] / x[..., -1:], 0), torch.log(x[..., -1])
