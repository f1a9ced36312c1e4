# BREAKS: "Returns o (R, d_v), m (R,), l (R,), same dtype, as new tensors, also where nothing changes."
# COSTS: where all scores are masked the state itself is returned: writing to the new state changes the old one
import torch
from torch import Tensor


def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    new = torch.maximum(m, s)
    if (new == m).all() and (s == -torch.inf).all():
        return o.contiguous(), m.contiguous(), l.contiguous()
    at = new.masked_fill(new == -torch.inf, 0)
    a, b = l * torch.exp(m - at), torch.exp(s - at)
    total = a + b
    safe = total.masked_fill(total == 0, 1)
    o = torch.where((a == 0)[:, None], 0, (a / safe)[:, None] * o) + (b / safe)[:, None] * v
    return o, new, total
