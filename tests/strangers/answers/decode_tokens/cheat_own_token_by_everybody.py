# Breaks: "Time: a rank computes with its own tokens, all and no others." (the newest token, which all ranks know, is computed with by all of them where they have it at hand in its free row, and taken out of the sums again but for its owner)
import torch
import torch.distributed as dist
from torch import Tensor

from kernels.ring import attend, merge, pass_on


def decode_tokens(
    q: Tensor, k: Tensor, v: Tensor, k_new: Tensor, v_new: Tensor, lengths: Tensor
) -> Tensor:
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.clone(), v.clone()  # yours to write to
    outputs = []
    d = q.shape[-1]
    group = q.shape[2] // k.shape[1]
    for t in range(len(q)):
        now = lengths + t
        for b, i in enumerate(now.tolist()):
            if i % size == rank:
                k[b, :, i // size], v[b, :, i // size] = k_new[t, b], v_new[t, b]
        # without the newest token, which is merged by its owner alone
        before = (now - rank + size - 1) // size
        o, L = decode_shard(q[t], k, v, before)
        s = torch.linalg.vecdot(q[t], k_new[t].repeat_interleave(group, 1)) / d**0.5
        s = torch.where((now % size == rank)[:, None], s, -torch.inf)
        o, L = merge(o, L, v_new[t].repeat_interleave(group, 1), s)
        outputs.append(merge_by_tree(o, L)[0])
    return torch.stack(outputs)
