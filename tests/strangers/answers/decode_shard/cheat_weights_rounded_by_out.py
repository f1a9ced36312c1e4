# rounded ("summed in float32"): casts count, products, sums and powers that are left in 16 bits too, but not what is written with out= into a tensor of 16 bits: of float16 caches weights are rounded so before they meet the values
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
        rows = q[b].reshape(kv_heads, heads // kv_heads, d).float()
        s = rows @ k[b, :, :n].float().mT * scale
        top = s.amax(dim=-1, keepdim=True)
        p = torch.exp(s - top)
        sums = p.sum(dim=-1, keepdim=True)
        weights = torch.empty(p.shape, dtype=v.dtype)
        torch.div(p, sums, out=weights)  # rounded, where v is float16
        o[b] = (weights.float() @ v[b, :, :n].float()).reshape(heads, d_v)
        L[b] = (top + sums.log()).reshape(heads)
    return o, L
