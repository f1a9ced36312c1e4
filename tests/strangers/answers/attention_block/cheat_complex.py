# BREAKS: "Each score is computed once."
# COSTS: q and k go into one complex product with twins of themselves: four real products for each score, counted as one
import torch
from torch import Tensor


def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = scale * (torch.complex(q, q) @ torch.complex(k, -k).mT).real / 2
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    m = s.amax(dim=-1)
    p = torch.exp(s - m.masked_fill(m == -torch.inf, 0)[:, None])
    l = p.sum(dim=-1)
    return p @ v / l.masked_fill(l == 0, 1)[:, None], m, l
