# style: functional, every intermediate a lambda or where, no in-place
import torch
from torch import Tensor

safe = lambda x: torch.where(torch.isneginf(x), torch.zeros_like(x), x)  # noqa: E731
column = lambda x: x.unsqueeze(-1)  # noqa: E731


def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m_new = torch.maximum(m, s)
    base = safe(m_new)
    old, new = l * torch.exp(m - base), torch.exp(s - base)
    l_new = old + new
    divisor = torch.where(l_new > 0, l_new, torch.ones_like(l_new))
    o_new = column(old / divisor) * o + column(new / divisor) * v
    unchanged = torch.isneginf(s)
    return (
        torch.where(column(unchanged), o, o_new),
        m_new,
        torch.where(unchanged, l, l_new),
    )
