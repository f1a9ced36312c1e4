# The weights as powers of two, one head after the other, lists of gradients.
import torch
import torch.distributed as dist
from kernels.ring import pass_on
from torch import Tensor


LOG2E = 1.4426950408889634


def block(q, k, v, L, do, delta):
    scale = q.shape[2] ** -0.5
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    group = q.shape[0] // k.shape[0]
    for h in range(q.shape[0]):
        j = h // group
        p = torch.exp2(q[h] @ k[j].t() * (scale * LOG2E) - L[h, :, None] * LOG2E)
        ds = p * (do[h] @ v[j].t() - delta[h, :, None])
        dq[h] = ds @ k[j] * scale
        dk[j] += ds.t() @ q[h] * scale
        dv[j] += p.t() @ do[h]
    return dq, [dk, dv]


def ring_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    delta = (do * o).sum(dim=-1)
    kv = [k.contiguous(), v.contiguous()]
    dq, g_requests, before = torch.zeros_like(q), [], None
    for step in range(size):
        n = lengths[(rank - step - 1) % size]
        requests, following = pass_on(kv, n) if step < size - 1 else ([], kv)
        part, here = block(q, *kv, L, do, delta)
        dq = dq + part
        for r in g_requests:
            r.wait()
        if before:
            here = [a + b for a, b in zip(here, before)]
        g_requests, before = pass_on(here, n)
        for r in requests:
            r.wait()
        kv = following
    for r in g_requests:
        r.wait()
    return dq, *before
