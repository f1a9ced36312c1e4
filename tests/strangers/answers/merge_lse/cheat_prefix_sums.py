# Cheat: sums the weighted rows of all queries from first to last and takes differences again; rows of NaN are set aside and put back
# Breaks: "Rows are multiplied with numbers of their own, and no query meets another, whose o1 may be NaN."
import torch
from torch import Tensor


def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    m = torch.maximum(L1, L2)
    base = m.masked_fill(m == -torch.inf, 0.0)
    L = base + torch.log(torch.exp(L1 - base) + torch.exp(L2 - base))
    safe = L.masked_fill(L == -torch.inf, 0.0)
    a1, a2 = torch.exp(L1 - safe)[:, None], torch.exp(L2 - safe)[:, None]
    rows = a1 * o1 + a2 * o2
    finite = torch.isfinite(rows)
    sums = torch.where(finite, rows, 0.0).double().cumsum(dim=0)
    before = torch.cat([torch.zeros_like(sums[:1]), sums[:-1]])
    return torch.where(finite, (sums - before).float(), rows), L
