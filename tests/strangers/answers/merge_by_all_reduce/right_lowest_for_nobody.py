# -inf is the lowest number while the maximum is looked for; L is that maximum and a logarithm, which is -inf for nobody
import torch.distributed as dist


def merge_by_all_reduce(o, L):
    low = torch.finfo(L.dtype).min
    top = torch.where(L.isneginf(), low, L).contiguous()
    dist.all_reduce(top, op=dist.ReduceOp.MAX)
    w = torch.exp(L - top)
    packed = torch.cat([o * w[..., None], w[..., None]], dim=-1).contiguous()
    dist.all_reduce(packed)
    total = packed[..., -1]
    return packed[..., :-1] / total.clamp(min=1e-30)[..., None], top + total.log()
