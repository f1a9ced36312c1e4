# all new tokens are stored before the first step, in rows that no earlier query sees
import torch
import torch.distributed as dist


def decode_tokens(q, k, v, k_new, v_new, lengths):
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.clone(), v.clone()
    for b, n in enumerate(lengths.tolist()):
        for t in range(len(q)):
            row, owner = divmod(n + t, size)
            if owner == rank:
                k[b, :, row], v[b, :, row] = k_new[t, b], v_new[t, b]
    outputs = []
    for t in range(len(q)):
        here = (lengths + t + size - rank) // size
        o, _ = merge_by_tree(*decode_shard(q[t], k, v, here))
        outputs.append(o)
    return torch.stack(outputs)
