# Right: float casts, masked_fill on keys' scores and on values (NaN beyond), einsum with a group axis
import torch
from torch import Tensor


def decode_shard(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    o = torch.zeros(batch, heads, d_v, device=q.device)
    L = torch.full((batch, heads), -torch.inf, device=q.device)
    scale = d**-0.5 if scale is None else scale
    for b, n in enumerate(lengths.tolist()):
        if n == 0:
            continue
        q_b = q[b].float().unflatten(0, (kv_heads, -1))  # (H_kv, g, d)
        s = scale * (q_b @ k[b, :, :n].float().mT)
        L_b = torch.logsumexp(s, dim=-1, keepdim=True)
        o[b] = ((s - L_b).exp() @ v[b, :, :n].float()).flatten(0, 1)
        L[b] = L_b.flatten()
    return o, L
