# clock, work_at_once ("A step's o is there before anything of the next step is computed"): the scores of all T steps are computed before the first message, by scatter_reduce with "prod", which multiplies what lies there and is no product for the clock
import torch
import torch.distributed as dist

def decode_tokens(q, k, v, k_new, v_new, lengths):
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.clone(), v.clone()
    steps, batch, heads, d = q.shape
    group = heads // k.shape[1]
    for t in range(steps):
        for b, n in enumerate(lengths.tolist()):
            row, owner = divmod(n + t, size)
            if owner == rank:
                k[b, :, row], v[b, :, row] = k_new[t, b], v_new[t, b]
    held = ((lengths + steps - 1 + size - rank) // size).tolist()
    scores = [q.new_full((steps, heads, n), -torch.inf) for n in held]
    for b, n in enumerate(held):
        places = torch.arange(n)[:, None].expand(n, d)
        for t in range(steps if n else 0):
            for h in range(heads):
                products = k[b, h // group, :n].scatter_reduce(0, places, q[t, b, h].expand(n, d), reduce="prod")
                scores[b][t, h] = products.sum(dim=1)
    outputs = []
    for t in range(steps):
        o, L = q.new_zeros(batch, heads, v.shape[3]), q.new_full((batch, heads), -torch.inf)
        here = ((lengths + t + size - rank) // size).tolist()
        for b, n in enumerate(here):
            if n == 0:
                continue
            s = scores[b][t, :, :n] * d**-0.5
            L[b] = torch.logsumexp(s, dim=-1)
            p = torch.exp(s - L[b][:, None]).reshape(k.shape[1], group, n)
            o[b] = (p @ v[b, :, :n]).reshape(heads, -1)
        o, _ = merge_by_tree(o, L)
        outputs.append(o)
    return torch.stack(outputs)
