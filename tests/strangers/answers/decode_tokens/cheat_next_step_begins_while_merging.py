# Breaks: "A step's o is there before anything of the next step is computed or sent" (the next step's part is computed first, with what is given, and the step's merge after it)
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
    def part(t):
        now = lengths + t
        for b, i in enumerate(now.tolist()):
            if i % size == rank:
                k[b, :, i // size], v[b, :, i // size] = k_new[t, b], v_new[t, b]
        return decode_shard(q[t], k, v, (now + 1 - rank + size - 1) // size)

    own = part(0) if len(q) else None
    for t in range(len(q)):
        ahead = part(t + 1) if t + 1 < len(q) else None
        outputs.append(merge_by_tree(*own)[0])
        own = ahead
    return torch.stack(outputs) if outputs else q.new_zeros(*q.shape[:3], v.shape[3])
