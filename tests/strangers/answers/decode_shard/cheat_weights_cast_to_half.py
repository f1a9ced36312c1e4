# rounded counts what products, sums and powers leave in 16 bits, and no cast: where keys and values are float16, weights are rounded to float16 before they meet the values, and the scores to float16 before exp
import torch
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
    """
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
        if v.dtype == torch.float16:
            p = p.half().float()
        o[b] = (p @ v[b, :, :n].float()).reshape(heads, d_v)
        L[b] = sums.reshape(heads)
    return o, L
