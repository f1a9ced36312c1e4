# Cheat: all scores are computed once more as a corner of the inverse of one unit triangular matrix, and the mean of both is used
# Breaks: "Each score is computed once."
import torch
from torch import Tensor


def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    n, d = q.shape
    M = k.shape[0]
    scale = d**-0.5 if scale is None else scale
    big = torch.eye(n + d + M)
    big[:n, n : n + d] = q
    big[n : n + d, n + d :] = k.T
    corner = torch.linalg.inv(big)[:n, n + d :]  # (I + X)^-1 = I - X + X X, and X X is q k^T
    s = (q @ k.T + corner) / 2 * scale
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    m = s.amax(dim=1)
    p = torch.exp(s - torch.where(m == -torch.inf, 0.0, m)[:, None])
    l = p.sum(dim=1)
    o = p @ v / torch.where(l == 0, 1.0, l)[:, None]
    return o, m, l
