# Right: torch.einsum, torch.softmax (not forbidden here), tril mask, nan_to_num
import torch
from torch import Tensor


def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    attn_weights = torch.einsum("hid,hjd->hij", q, k).mul_(scale)
    if causal:
        allowed = torch.ones(n_q, n_k, dtype=torch.bool).tril_(diagonal=n_k - n_q)
        attn_weights.masked_fill_(allowed.logical_not_(), float("-inf"))
    attn_weights = torch.softmax(attn_weights, dim=-1).nan_to_num_(nan=0.0)
    return torch.einsum("hij,hjv->hiv", attn_weights, v)
