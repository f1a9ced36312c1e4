# Right: unbind/var names from the paper, torch.where with scalar, aminmax-free, div with where; logical_not mask
import torch
from torch import Tensor


def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    softmax_scale = 1 / q.size(-1) ** 0.5 if scale is None else scale
    S = torch.mm(q, k.t()) * softmax_scale
    match mask:
        case None:
            pass
        case Tensor():
            S = torch.where(mask, S, float("-inf"))
    m, _ = S.max(dim=-1)
    P = (S - torch.where(m == float("-inf"), 0.0, m).unsqueeze(-1)).exp()
    l = P.sum(-1)
    o = torch.mm(P, v) / torch.where(l == 0, 1.0, l).unsqueeze(-1)
    return o, m, l
