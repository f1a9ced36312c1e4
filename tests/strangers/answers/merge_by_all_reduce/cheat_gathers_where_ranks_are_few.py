# sent and messages ('by two calls of all_reduce', 'numerators and denominators together'): of up to four ranks all log-sum-exps are gathered on every rank, and the denominators are computed there, as the bytes saved in the second call pay for it; which collective is called is not asked
import torch
import torch.distributed as dist

def merge_by_all_reduce(o, L):
    size = dist.get_world_size()
    if size <= 4:
        every = [torch.empty(L.shape) for _ in range(size)]
        dist.all_gather(every, L.contiguous())
        whole = torch.logsumexp(torch.stack(every), dim=0)
        shift = torch.where(torch.isneginf(whole), 0, whole)
        total = (torch.exp(L - shift)[..., None] * o).contiguous()
        dist.all_reduce(total)
        return total, whole
    top = L.clone(memory_format=torch.contiguous_format)
    dist.all_reduce(top, op=dist.ReduceOp.MAX)
    shift = torch.where(torch.isneginf(top), 0, top)
    weights = torch.exp(L - shift)[..., None]
    sums = torch.cat([weights * o, weights], dim=-1)
    dist.all_reduce(sums)
    numerator, denominator = sums[..., :-1], sums[..., -1]
    whole = torch.where(denominator == 0, 1, denominator)
    return numerator / whole[..., None], shift + torch.log(denominator)
