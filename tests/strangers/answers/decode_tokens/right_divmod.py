# style: divmod arithmetic for the owner, calls of the two others
import torch
import torch.distributed as dist
from torch import Tensor


def decode_tokens(
    q: Tensor, k: Tensor, v: Tensor, k_new: Tensor, v_new: Tensor, lengths: Tensor
) -> Tensor:
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.clone(), v.clone()
    outputs = []
    for t in range(len(q)):
        for b, n in enumerate(lengths.tolist()):
            row, owner = divmod(n + t, size)
            if owner == rank:
                k[b, :, row] = k_new[t, b]
                v[b, :, row] = v_new[t, b]
        held = (lengths + t + 1 - rank + size - 1).div(size, rounding_mode="floor").clamp(min=0)
        o, _ = merge_by_tree(*decode_shard(q[t], k, v, held))
        outputs.append(o)
    return torch.stack(outputs)
