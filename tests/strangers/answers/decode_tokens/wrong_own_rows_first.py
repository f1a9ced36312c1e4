# plain: every rank is taken to hold contiguous pieces, so that lengths are N / W each, rounded up
import torch
import torch.distributed as dist


def decode_tokens(q, k, v, k_new, v_new, lengths):
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.clone(), v.clone()
    out = []
    for t in range(len(q)):
        total = lengths + t + 1
        piece = (total + size - 1) // size
        for b, n in enumerate(lengths.tolist()):
            if (n + t) // int(piece[b]) == rank:
                k[b, :, (n + t) % int(piece[b])] = k_new[t, b]
                v[b, :, (n + t) % int(piece[b])] = v_new[t, b]
        here = (total - rank * piece).clamp(0).minimum(piece)
        out.append(merge_by_tree(*decode_shard(q[t], k, v, here))[0])
    return torch.stack(out)
