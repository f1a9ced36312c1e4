# sequence by sequence; "summed in float32": everything is summed in float64, and returned as float32; one float64 is as large as two float32, which may be
import torch
from torch import Tensor


def decode_shard(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    o = torch.zeros(batch, heads, d_v)
    L = torch.full((batch, heads), -torch.inf)
    scale = d**-0.5 if scale is None else scale
    for b, n in enumerate(lengths.tolist()):
        rows = q[b].reshape(kv_heads, heads // kv_heads, d).double()
        s = rows @ k[b, :, :n].double().mT * scale
        sums = torch.logsumexp(s, dim=-1)
        o[b] = (torch.exp(s - sums[..., None]) @ v[b, :, :n].double()).reshape(heads, d_v)
        L[b] = sums.reshape(heads)
    return o, L
