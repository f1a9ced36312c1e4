# An additive bias of 0 and -inf handed to baddbmm together with alpha, then softmax and bmm.
import torch
from torch import Tensor


def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    bias = q.new_zeros(1, n_q, n_k)
    if causal:
        bias.masked_fill_(torch.ones(n_q, n_k, dtype=torch.bool).triu(n_k - n_q + 1), -torch.inf)
    s = torch.baddbmm(bias, q, k.transpose(1, 2), alpha=scale)
    p = torch.softmax(s, dim=-1)
    if causal and n_q > n_k:
        p[:, : n_q - n_k] = 0
    return torch.bmm(p, v)
