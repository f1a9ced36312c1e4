# Right: sequence by sequence with views of its keys alone (no mask), float() of the slices, enumerate(lengths.tolist())
import torch
from torch import Tensor


def decode_shard(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    """Attention of one new token of each sequence with the keys that one rank holds."""
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    factor = d**-0.5 if scale is None else scale
    o = torch.zeros(batch, heads, d_v, device=q.device)
    L = torch.full((batch, heads), -torch.inf, device=q.device)
    for b, n in enumerate(lengths.tolist()):
        if n == 0:
            continue
        rows = q[b].float().reshape(kv_heads, heads // kv_heads, d)
        s = factor * torch.einsum("hgd,hnd->hgn", rows, k[b, :, :n].float())
        lse = torch.logsumexp(s, dim=-1, keepdim=True)
        o[b] = torch.einsum("hgn,hnc->hgc", torch.exp(s - lse), v[b, :, :n].float()).flatten(0, 1)
        L[b] = lse.flatten()
    return o, L
