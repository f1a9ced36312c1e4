# Style: einsum and a softmax by hand that divides at the end.
import torch
from torch import Tensor


def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = torch.einsum("hid,hjd->hij", q, k) * scale
    if causal:
        i, j = torch.meshgrid(torch.arange(n_q), torch.arange(n_k), indexing="ij")
        s = torch.where(j <= i + n_k - n_q, s, -torch.inf)
    top = s.max(dim=-1, keepdim=True).values
    e = torch.exp(s - torch.where(top == -torch.inf, 0.0, top))
    l = e.sum(dim=-1)
    o = torch.einsum("hij,hjc->hic", e, v)
    return o / torch.where(l == 0, 1.0, l)[..., None]
