# clock: the last rank gets every new token, in a cache that it makes longer
import torch
import torch.distributed as dist


def decode_tokens(q, k, v, k_new, v_new, lengths):
    rank, size = dist.get_rank(), dist.get_world_size()
    T, B = q.shape[:2]
    held = (lengths + size - 1 - rank) // size
    room = torch.zeros(B, k.shape[1], T, k.shape[3])
    k = torch.cat([k, room], 2)
    v = torch.cat([v, torch.zeros(B, v.shape[1], T, v.shape[3])], 2)
    out = []
    for t in range(T):
        if rank == size - 1:
            for b in range(B):
                k[b, :, held[b]], v[b, :, held[b]] = k_new[t, b], v_new[t, b]
            held = held + 1
        out.append(merge_by_tree(*decode_shard(q[t], k, v, held))[0])
    return torch.stack(out)
