# style: one sequence after the other, slices of what is filled
import torch
import torch.distributed as dist
from torch import Tensor


def decode_shard(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    """Attention of one new token of each sequence with the keys that one rank holds.

    q: (B, H, d), k: (B, H_kv, N, d), v: (B, H_kv, N, d_v) float32 or float16, H a multiple of
    H_kv; query head h reads KV head h // (H / H_kv). d_v may differ from d.
    lengths: (B,) int64, from 0 to N: how many keys of each sequence lie here. What lies beyond
    them means nothing and may be NaN.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Returns o (B, H, d_v) and the log-sum-exp L (B, H), both float32, and summed in float32;
    0 and -inf for a sequence that has no key here.
    Memory: K and V in float32 at most twice, and a few times the scores; K and V are not copied
    for each query head.

        S = scale * q k^T        L = log sum_j exp(S_j)        o = sum_j exp(S_j - L) v_j

    Forbidden: scaled_dot_product. It stays within torch and Python, without tolist of
    floating-point numbers. Arguments stay as they are, and results are new memory.
    """
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    o = torch.zeros(batch, heads, d_v, device=q.device)
    L = torch.full((batch, heads), -torch.inf, device=q.device)
    scale = d**-0.5 if scale is None else scale
    for i, n in enumerate(lengths.tolist()):
        if n == 0:
            continue
        keys, values = k[i, :, :n].float(), v[i, :, :n].float()
        query = q[i].float().reshape(kv_heads, -1, d)
        S = scale * query @ keys.mT
        top = S.amax(dim=-1, keepdim=True)
        P = torch.exp(S - top)
        l = P.sum(dim=-1, keepdim=True)
        o[i] = (P @ values / l).reshape(heads, d_v)
        L[i] = (top + torch.log(l)).reshape(heads)
    return o, L
