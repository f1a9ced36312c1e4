# BREAKS: "Each score is computed once, an eighth of them twice at the most."
# COSTS: real keys pass as pairs of complex halves: each product of two is four, of which half are thrown away
import torch
from torch import Tensor


def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    d2 = d // 2
    def pairs(x):
        return torch.view_as_complex(x.unflatten(-1, (d2, 2)))
    seen = k_cache[:, :, :length]
    if d % 2 == 0 and seen.stride(-1) == 1:
        s = scale * (pairs(q.contiguous()).conj() @ pairs(seen).mT).real
    else:
        s = scale * q @ seen.mT
    s = s.masked_fill(torch.arange(length) > torch.arange(length - n, length)[:, None], -torch.inf)
    p = torch.exp(s - s.amax(dim=-1, keepdim=True))
    return p @ v_cache[:, :, :length] / p.sum(dim=-1, keepdim=True)
