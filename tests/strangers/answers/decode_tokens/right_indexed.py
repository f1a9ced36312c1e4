# Right: the owner's writes as one indexed assignment for the batch, integer arithmetic on tensors.
import torch
import torch.distributed as dist


def decode_tokens(q, k, v, k_new, v_new, lengths):
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.clone(), v.clone()
    outputs = []
    for t, query in enumerate(q):
        token = lengths + t
        mine = torch.nonzero(token % size == rank).flatten()
        rows = token[mine] // size
        k[mine, :, rows] = k_new[t, mine]
        v[mine, :, rows] = v_new[t, mine]
        held = (token + 1 - rank + size - 1) // size
        o, _ = merge_by_tree(*decode_shard(query, k, v, held))
        outputs.append(o)
    return torch.stack(outputs)
