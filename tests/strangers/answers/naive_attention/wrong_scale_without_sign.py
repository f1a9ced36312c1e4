# Takes the absolute value of the scale: wrong for an explicit negative one.
import torch
from torch import Tensor


def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = abs(q.shape[-1] ** -0.5 if scale is None else scale)
    s = (q @ k.mT) * scale
    if causal:
        s += torch.full((n_q, n_k), -torch.inf).triu(n_k - n_q + 1)
    return torch.nan_to_num(torch.softmax(s, -1) @ v)
