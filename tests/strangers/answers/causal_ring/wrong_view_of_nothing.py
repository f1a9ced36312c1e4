# In base two with one flat message; blocks are viewed with -1, which cannot be told for a block without tokens.
import torch
import torch.distributed as dist
from torch import Tensor


LN2 = 0.6931471805599453


def causal_ring(q: Tensor, k: Tensor, v: Tensor, positions: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    g, d, d_v = q.shape[0] // k.shape[0], k.shape[2], v.shape[2]
    flat = torch.cat([k.reshape(-1), v.reshape(-1)])
    parts = []
    for x, p in zip(q.tensor_split(2, 1), positions[rank].tensor_split(2)):
        rows = x.reshape(k.shape[0], -1, d) * (d**-0.5 / LN2)
        parts.append([rows, p, rows.new_full((*rows.shape[:2], 1), -1e30), 0.0, rows.new_zeros(*rows.shape[:2], d_v)])
    for step in range(size):
        p_k = positions[(rank - step) % size]
        n = len(p_k)
        pending = []
        if step < size - 1:
            coming = flat.new_empty(k.shape[0] * len(positions[(rank - step - 1) % size]) * (d + d_v))
            pending = [dist.irecv(coming, (rank - 1) % size), dist.isend(flat, (rank + 1) % size)]
        keys = flat[: k.shape[0] * n * d].view(-1, n, d)
        values = flat[k.shape[0] * n * d :].view(-1, n, d_v)
        for a, b in ((0, (n + 1) // 2), ((n + 1) // 2, n)):
            for part in parts:
                rows, p_q, m, l, acc = part
                if a == b or not len(p_q) or p_q[-1] < p_k[a]:
                    continue
                s = rows @ keys[:, a:b].mT
                s = torch.where((p_k[a:b] <= p_q[:, None]).repeat(g, 1), s, -torch.inf)
                new = torch.maximum(m, s.amax(-1, keepdim=True))
                e, w = torch.exp2(s - new), torch.exp2(m - new)
                part[2:] = [new, w * l + e.sum(-1, keepdim=True), w * acc + e @ values[:, a:b]]
        for r in pending:
            r.wait()
        if pending:
            flat = coming
    o, L = [], []
    for rows, p_q, m, l, acc in parts:
        if len(p_q):
            o.append((acc / l).reshape(q.shape[0], -1, d_v))
            L.append(((m + torch.log2(l)) * LN2).reshape(q.shape[0], -1))
    if not o:
        return q.new_zeros(q.shape[0], 0, d_v), q.new_zeros(q.shape[0], 0)
    return torch.cat(o, 1), torch.cat(L, 1)
