# Wrong: sums e^L itself, without the maximum, in float64 to be safe, which ends at 709.
# Breaks: "The first call finds the largest log-sum-exp"; "Messages: two"; M = max_r L_r, w_r = e^(L_r - M).
import torch
import torch.distributed as dist


def merge_by_all_reduce(o, L):
    w = torch.exp(L.double())[..., None]
    both = torch.cat([w * o, w], dim=-1)
    if dist.get_world_size() > 1:
        dist.all_reduce(both)
    total = both[..., -1:]
    out = both[..., :-1] / torch.where(total == 0, 1.0, total)
    return out.float(), torch.log(total[..., 0]).float()
