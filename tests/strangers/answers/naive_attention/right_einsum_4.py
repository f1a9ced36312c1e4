# style: einsum strings with words, einops-like
import torch
from torch import Tensor


def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    (_, n_q, d), n_k = q.shape, k.shape[1]
    scale = d**-0.5 if scale is None else scale
    s = torch.einsum("h i d, h j d -> h i j", q, k).mul_(scale)
    if causal:
        i, j = torch.meshgrid(torch.arange(n_q), torch.arange(n_k), indexing="ij")
        s.masked_fill_(j > i + n_k - n_q, -torch.inf)
    p = s.softmax(dim=-1).nan_to_num(nan=0.0) if causal and n_k < n_q else s.softmax(dim=-1)
    return torch.einsum("h i j, h j e -> h i e", p, v)
