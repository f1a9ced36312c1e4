# Einsum with named axes; masked rows handled by clamping the maximum at the smallest finite number.
import torch
from torch import Tensor


def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    top = torch.stack((m, s.amax(dim=1))).amax(dim=0)
    base = top.clamp(min=torch.finfo(top.dtype).min)
    p = (s - base[:, None]).exp()
    old = l * (m - base).exp()
    total = old + torch.einsum("rc->r", p)
    safe = torch.where(total > 0, total, 1.0)
    kept = torch.einsum("r,rd->rd", old / safe, o)
    return kept + torch.einsum("rc,cd->rd", p / safe[:, None], v), top, total
