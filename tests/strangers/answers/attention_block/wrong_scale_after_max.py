# WRONG: takes the maximum of the unscaled scores and scales it: for a negative scale m is the minimum, exponentials overflow
import torch
from torch import Tensor


def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    scale = q.shape[1] ** -0.5 if scale is None else scale
    s = q @ k.T
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf if scale >= 0 else torch.inf)
    best = s.masked_fill(torch.isinf(s), -torch.inf).amax(dim=1)
    m = torch.where(best == -torch.inf, best, scale * best)
    shift = torch.where(m == -torch.inf, 0.0, m)
    p = torch.exp(scale * s - shift[:, None]) if scale else torch.exp(torch.where(torch.isinf(s), -torch.inf, 0 * s) - shift[:, None])
    l = p.sum(dim=1)
    return (p @ v) / torch.where(l == 0, 1.0, l)[:, None], m, l
