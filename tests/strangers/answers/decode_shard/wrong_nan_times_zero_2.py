# Wrong: hides the scores beyond a sequence's length but multiplies its values there with weights of 0, and they may be NaN.
# Breaks: "What lies beyond them means nothing and may be NaN."
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
    Memory: K and V in float32 at most twice (cast, and then masked, is twice), and a few times
    the scores; K and V are not copied for each query head. Each score is computed once, an
    eighth of them twice at the most, and none with another KV head.

        S = scale * q k^T        L = log sum_j exp(S_j)        o = sum_j exp(S_j - L) v_j

    Forbidden: scaled_dot_product. It stays within torch and Python, without tolist of
    floating-point numbers. Arguments stay as they are, and results are new memory.
    """
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    o = torch.zeros(batch, heads, d_v, device=q.device)
    L = torch.full((batch, heads), -torch.inf, device=q.device)
    scale = d**-0.5 if scale is None else scale
    rows = q.float().view(batch, kv_heads, heads // kv_heads, d)
    s = scale * rows @ k.float().mT
    hidden = torch.arange(k.shape[2]) >= lengths[:, None]
    s = s.masked_fill(hidden[:, None, None], -torch.inf)
    if k.shape[2]:
        m = s.amax(dim=-1, keepdim=True)
        shift = m.masked_fill(torch.isneginf(m), 0)
        p = torch.exp(s - shift)
        l = p.sum(dim=-1, keepdim=True)
        o = (p @ v.float() / l.masked_fill(l == 0, 1)).view(batch, heads, d_v)
        L = (shift + torch.log(l)).view(batch, heads)
    return o, L
