# BREAKS: "Each score is computed once, an eighth of them twice at the most, and none with another KV head."
# COSTS: scores of complex twins: four products each
import torch
import torch.distributed as dist
from torch import Tensor
from kernels.ring import attend, merge, pass_on


def decode_shard(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    o = torch.zeros(batch, heads, d_v, device=q.device)
    L = torch.full((batch, heads), -torch.inf, device=q.device)
    n = k.shape[2]
    if n:
        scale = d**-0.5 if scale is None else scale
        seen = torch.arange(n) < lengths[:, None]
        rows = q.float().reshape(batch, kv_heads, -1, d)
        keys = k.float()
        s = scale / 2 * (torch.complex(rows, rows) @ torch.complex(keys, -keys).mT).real
        s = torch.where(seen[:, None, None], s, -torch.inf)
        m = s.amax(dim=-1, keepdim=True).clamp_min(-1e38)
        p = torch.exp(s - m)
        l = p.sum(dim=-1, keepdim=True)
        values = torch.where(seen[:, None, :, None], v.float(), 0)
        o = (p @ values / l.masked_fill(l == 0, 1)).reshape(batch, heads, d_v)
        L = torch.where(l > 0, m + torch.log(l), -torch.inf).reshape(batch, heads)
    return o, L
