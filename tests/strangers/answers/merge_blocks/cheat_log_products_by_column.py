# Each column of o1 and of o2 is weighted by adding logarithms, which is no product, a column at a time.
import torch


def merge_blocks(o1, m1, l1, o2, m2, l2):
    m = torch.maximum(m1, m2)
    shift = torch.where(torch.isneginf(m), 0, m)
    a1, a2 = l1 * torch.exp(m1 - shift), l2 * torch.exp(m2 - shift)
    l = a1 + a2
    whole = torch.where(l == 0, 1, l)
    log1, log2 = torch.log(a1 / whole), torch.log(a2 / whole)
    o = torch.empty_like(o1)
    for c in range(o1.shape[1]):
        one, two = o1[:, c], o2[:, c]
        first = torch.copysign(torch.exp(log1 + torch.log(torch.abs(one))), one)
        second = torch.copysign(torch.exp(log2 + torch.log(torch.abs(two))), two)
        o[:, c] = torch.where(a1 == 0, 0, first) + torch.where(a2 == 0, 0, second)
    return o, m, l
