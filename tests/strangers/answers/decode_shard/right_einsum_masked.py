# Einsum over named axes, masked values instead of a loop over the sequences, logsumexp for L.
import torch
from torch import Tensor


def decode_shard(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    batch, heads, d = q.shape
    kv_heads, n = k.shape[1:3]
    scale = d**-0.5 if scale is None else scale
    beyond = torch.arange(n, device=q.device) >= lengths[:, None]
    grouped = q.float().unflatten(1, (kv_heads, heads // kv_heads))
    s = torch.einsum("bkgd,bknd->bkgn", grouped, k.float()) * scale
    s = s.masked_fill(beyond[:, None, None], -torch.inf)
    L = torch.logsumexp(s, dim=-1)
    p = torch.exp(s - torch.where(L == -torch.inf, 0.0, L)[..., None])
    values = v.float().masked_fill(beyond[:, None, :, None], 0.0)
    return torch.einsum("bkgn,bkne->bkge", p, values).flatten(1, 2), L.flatten(1, 2)
