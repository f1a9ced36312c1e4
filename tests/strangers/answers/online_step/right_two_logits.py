# Right within its contract: lets torch's softmax over two logits (what the past weighs, and the new score) find both fractions, so that neither the maximum's correction nor the division is written.
# Breaks: "m' = max(m, s)        l' = l e^(m - m') + e^(s - m')        o' = (l e^(m - m') / l') o + (e^(s - m') / l') v"
import torch
from torch import Tensor


def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m_new = torch.maximum(m, s)
    shift = m_new.masked_fill(m_new == -torch.inf, 0)
    logits = torch.stack([m - shift + torch.log(l), s - shift])
    w = torch.softmax(logits, dim=0).masked_fill(logits == -torch.inf, 0)
    l_new = torch.exp(logits).sum(dim=0)
    new = w[0, :, None] * o + w[1, :, None] * v
    return new, m_new, l_new
