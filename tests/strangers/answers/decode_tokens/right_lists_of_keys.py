# a Python list of keys for each sequence, grown by append, and an attention of its own; the merge is the given one
import torch
import torch.distributed as dist


def decode_tokens(q, k, v, k_new, v_new, lengths):
    me, W = dist.get_rank(), dist.get_world_size()
    T, B, H, d = q.shape
    n = [int(x) for x in lengths]
    mine = [len(range(me, x, W)) for x in n]
    keys = [[k[b, :, i] for i in range(mine[b])] for b in range(B)]
    values = [[v[b, :, i] for i in range(mine[b])] for b in range(B)]
    out = []
    for t in range(T):
        o, L = torch.zeros(B, H, v.shape[3]), torch.full((B, H), -torch.inf)
        for b in range(B):
            if (n[b] + t) % W == me:
                keys[b].append(k_new[t, b])
                values[b].append(v_new[t, b])
            if keys[b]:
                K, V = torch.stack(keys[b], 1), torch.stack(values[b], 1)
                s = q[t, b].reshape(K.shape[0], -1, d) @ K.mT / d**0.5
                L[b] = torch.logsumexp(s, -1).reshape(H)
                o[b] = (torch.softmax(s, -1) @ V).reshape(H, -1)
        out.append(merge_by_tree(o, L)[0])
    return torch.stack(out)
