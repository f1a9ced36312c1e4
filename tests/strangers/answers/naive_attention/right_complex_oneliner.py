# One expression: a softmax of the concatenation with an extra column of zeros weight.
import torch
from torch import Tensor


def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k, c = q.shape[1], k.shape[1], q.shape[-1] ** -0.5 if scale is None else scale
    hide = torch.full((n_q, n_k), -torch.inf).triu_(n_k - n_q + 1) if causal else torch.zeros(())
    return torch.nan_to_num(torch.softmax(torch.einsum("hid,hjd->hij", q, k).mul(c).add(hide), -1)) @ v
