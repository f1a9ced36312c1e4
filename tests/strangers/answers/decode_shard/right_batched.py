# style: masks before the product, per-KV-head einsum
import torch
from torch import Tensor


def decode_shard(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    scale = d**-0.5 if scale is None else scale
    o = torch.zeros(batch, heads, d_v, device=q.device)
    L = torch.full((batch, heads), -torch.inf, device=q.device)
    for b, n in enumerate(lengths.tolist()):
        if not n:
            continue
        rows = q[b].float().unflatten(0, (kv_heads, -1))
        s = scale * torch.einsum("h g d, h n d -> h g n", rows, k[b, :, :n].float())
        top = s.amax(dim=-1, keepdim=True)
        p = (s - top).exp()
        l = p.sum(dim=-1, keepdim=True)
        o[b] = (torch.einsum("h g n, h n e -> h g e", p, v[b, :, :n].float()) / l).flatten(0, 1)
        L[b] = (top + l.log()).flatten()
    return o, L
