# WRONG: measures from the new score instead of from the larger of the two: exp(m - s) overflows where s lies 89 below m
import torch
from torch import Tensor


def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m_new = torch.maximum(m, s)
    ok = s > -torch.inf
    ref = torch.where(ok, s, torch.zeros_like(s))
    past = l * torch.exp(torch.where(ok, m - ref, torch.zeros_like(m)))
    p = torch.where(ok, torch.ones_like(s), torch.zeros_like(s))
    total = past + p
    safe = torch.where(total == 0, torch.ones_like(total), total)
    o_new = (past / safe)[:, None] * o + (p / safe)[:, None] * v
    unit = torch.where(m_new > -torch.inf, m_new, torch.zeros_like(m_new))
    return o_new, m_new, torch.where(ok, total * torch.exp(ref - unit), l)
