# rounds: merged by two all_reduces, which take 4 (W - 1) rounds in a step
import torch
import torch.distributed as dist


def decode_tokens(q, k, v, k_new, v_new, lengths):
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.clone(), v.clone()
    outputs = []
    for t in range(len(q)):
        for b, n in enumerate(lengths.tolist()):
            row, owner = divmod(n + t, size)
            if owner == rank:
                k[b, :, row], v[b, :, row] = k_new[t, b], v_new[t, b]
        outputs.append(merge_by_all_reduce(*decode_shard(q[t], k, v, (lengths + t + size - rank) // size))[0])
    return torch.stack(outputs)
