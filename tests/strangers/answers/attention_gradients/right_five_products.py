# Style: the table of the lesson, line by line.
import torch
from torch import Tensor


def attention_gradients(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    o: Tensor,
    L: Tensor,
    do: Tensor,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    last_seen = torch.arange(n_q)[:, None] + n_k - n_q
    mask = torch.arange(n_k) <= last_seen if causal else None
    s = scale * (q @ k.T)
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    p = torch.exp(s - torch.where(L == -torch.inf, 0.0, L)[:, None])
    dv = p.T @ do
    delta = (do * o).sum(dim=1, keepdim=True)
    ds = p * (do @ v.T - delta)
    return scale * (ds @ k), scale * (ds.T @ q), dv
