# Right: @torch.no_grad() decorator, einsum, in-place masked_fill_, assert on shapes, type aliases with Annotated
from typing import Annotated

import torch
from torch import Tensor

Queries = Annotated[Tensor, "heads n_q d"]
Keys = Annotated[Tensor, "heads n_k d"]
Values = Annotated[Tensor, "heads n_k d_v"]


@torch.no_grad()
def naive_attention(
    q: Queries, k: Keys, v: Values, causal: bool = False, scale: float | None = None
) -> Annotated[Tensor, "heads n_q d_v"]:
    """Attention as the formula is written, from whole rows of scores."""
    n_q, n_k = q.shape[1], k.shape[1]
    assert k.shape[:2] == v.shape[:2], f"{k.shape} and {v.shape} do not fit"
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = torch.einsum("hqd,hkd->hqk", q, k).mul_(scale)
    if causal:
        hidden = torch.ones(n_q, n_k, dtype=torch.bool, device=q.device).triu_(n_k - n_q + 1)
        s.masked_fill_(hidden, float("-inf"))
    p = s.softmax(dim=-1).nan_to_num_(nan=0.0)
    return torch.einsum("hqk,hkd->hqd", p, v)


# print(naive_attention(torch.randn(2, 3, 4), torch.randn(2, 5, 4), torch.randn(2, 5, 4)).shape)
# torch.Size([2, 3, 4])
