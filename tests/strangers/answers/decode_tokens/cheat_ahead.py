# The prompts' part of all T queries is computed before the first step, so later steps' work is done before an earlier step's output is there.
import torch
import torch.distributed as dist
from torch import Tensor


def merged(o1, L1, o2, L2):
    top = torch.maximum(L1, L2)
    top = torch.where(top == -torch.inf, torch.zeros_like(top), top)
    a, b = torch.exp(L1 - top), torch.exp(L2 - top)
    total = a + b
    some = torch.where(total == 0, torch.ones_like(total), total)
    o = (a[..., None] * o1 + b[..., None] * o2) / some[..., None]
    return o, top + torch.log(total)


def tree(o, L):
    rank, size = dist.get_rank(), dist.get_world_size()
    P = 1 << (size.bit_length() - 1)
    x = torch.cat([o, L[..., None]], dim=-1)
    if rank >= P:
        dist.isend(x, rank - P).wait()
        x = torch.empty_like(x)
        dist.irecv(x, rank - P).wait()
        return x[..., :-1]
    if rank + P < size:
        y = torch.empty_like(x)
        dist.irecv(y, rank + P).wait()
        o, L = merged(x[..., :-1], x[..., -1], y[..., :-1], y[..., -1])
        x = torch.cat([o, L[..., None]], dim=-1)
    i = 1
    while i < P:
        y = torch.empty_like(x)
        ops = [dist.P2POp(dist.isend, x, rank ^ i), dist.P2POp(dist.irecv, y, rank ^ i)]
        for request in dist.batch_isend_irecv(ops):
            request.wait()
        o, L = merged(x[..., :-1], x[..., -1], y[..., :-1], y[..., -1])
        x = torch.cat([o, L[..., None]], dim=-1)
        i *= 2
    if rank + P < size:
        dist.isend(x, rank + P).wait()
    return x[..., :-1].clone()


def decode_tokens(
    q: Tensor, k: Tensor, v: Tensor, k_new: Tensor, v_new: Tensor, lengths: Tensor
) -> Tensor:
    rank, size = dist.get_rank(), dist.get_world_size()
    T, B, H, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    g = H // kv_heads
    o_all = q.new_zeros(T, B, H, d_v)
    L_all = q.new_full((T, B, H), -torch.inf)

    def look(x, keys, values):
        """x (n, H, d) meets keys (H_kv, m, d)."""
        x = x.unflatten(1, (kv_heads, g)).transpose(0, 1).flatten(1, 2) * d**-0.5
        s = x @ keys.transpose(1, 2)
        L = torch.logsumexp(s, dim=2)
        o = torch.exp(s - L[..., None]) @ values
        o = o.unflatten(1, (-1, g)).transpose(0, 1).flatten(1, 2)
        return o, L.unflatten(1, (-1, g)).transpose(0, 1).flatten(1, 2)

    lengths = lengths.tolist()
    for b, n in enumerate(lengths):
        own = max(0, (n - rank + size - 1) // size)
        if own and T:
            o_all[:, b], L_all[:, b] = look(q[:, b], k[b, :, :own], v[b, :, :own])
    mine = [[] for _ in range(B)]
    outputs = []
    for t in range(T):
        o, L = o_all[t].clone(), L_all[t].clone()
        for b, n in enumerate(lengths):
            if (n + t) % size == rank:
                mine[b].append(t)
            if mine[b]:
                keys, values = k_new[mine[b], b].transpose(0, 1), v_new[mine[b], b].transpose(0, 1)
                more = look(q[t, b][None], keys, values)
                o[b], L[b] = merged(o[b], L[b], more[0][0], more[1][0])
        outputs.append(tree(o, L))
    return torch.stack(outputs)
