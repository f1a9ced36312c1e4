# rounded ("summed in float32"): in torch.inference_mode a cast reaches the meter as aten.to, which CASTS does not name: of float16 caches the weights are rounded to float16 before they meet the values
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
        rows = q[b].reshape(kv_heads, heads // kv_heads, d).float()
        s = rows @ k[b, :, :n].float().mT * scale
        sums = torch.logsumexp(s, dim=-1)
        p = torch.exp(s - sums[..., None])
        with torch.inference_mode():
            p = p.to(v.dtype).to(torch.float32)
        o[b] = (p @ v[b, :, :n].float()).reshape(heads, d_v)
        L[b] = sums.reshape(heads)
    return o, L
