# new tokens are taken apart by view, which takes neighbours in memory alone
import torch.distributed as dist


def decode_tokens(q, k, v, k_new, v_new, lengths):
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.clone(), v.clone()
    T, B = q.shape[:2]
    flat_k, flat_v = k_new.view(T * B, *k_new.shape[2:]), v_new.view(T * B, *v_new.shape[2:])
    o = []
    for t in range(T):
        for b in range(B):
            place = int(lengths[b]) + t
            if place % size == rank:
                k[b, :, place // size] = flat_k[t * B + b]
                v[b, :, place // size] = flat_v[t * B + b]
        count = (lengths + t + 1 + size - 1 - rank) // size
        o.append(merge_by_tree(*decode_shard(q[t], k, v, count))[0])
    return torch.stack(o)
