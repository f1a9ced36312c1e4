# the second call sums weights of L alone and outputs, and divides by the sum in the log domain
import torch
from torch.distributed import ReduceOp, all_reduce


def merge_by_all_reduce(o, L):
    batch, heads, width = o.shape
    high = L.reshape(batch, heads).clone(memory_format=torch.contiguous_format)
    all_reduce(high, ReduceOp.MAX)
    shift = torch.where(high > -torch.inf, high, torch.zeros(()))
    w = torch.exp(L - shift).reshape(batch, heads, 1)
    sums = torch.cat((o.reshape(batch, heads, width) * w, w), 2)
    all_reduce(sums)
    lse = shift + torch.log(sums[..., width])
    inverse = torch.exp(shift - torch.where(lse > -torch.inf, lse, torch.zeros(())))
    return sums[..., :width] * inverse[..., None], lse
