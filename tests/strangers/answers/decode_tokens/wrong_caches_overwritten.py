# plain: the caches that were given are written to
import torch
import torch.distributed as dist


def decode_tokens(q, k, v, k_new, v_new, lengths):
    rank, size = dist.get_rank(), dist.get_world_size()
    out = []
    for t in range(len(q)):
        for b, n in enumerate(lengths.tolist()):
            if (n + t) % size == rank:
                k[b, :, (n + t) // size] = k_new[t, b]
                v[b, :, (n + t) // size] = v_new[t, b]
        out.append(merge_by_tree(*decode_shard(q[t], k, v, (lengths + t + size - rank) // size))[0])
    return torch.stack(out)
