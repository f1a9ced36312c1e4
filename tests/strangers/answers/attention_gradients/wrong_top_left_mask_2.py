# Wrong: the causal mask is aligned at the top-left corner (j <= i). Shows for causal with N_q != N_k.
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
    s = scale * (q @ k.T)
    if causal:
        s = s.masked_fill(torch.tril(torch.ones(n_q, n_k)) == 0, -torch.inf)
    p = torch.exp(s - torch.where(torch.isneginf(L), 0.0, L)[:, None])
    ds = p * (do @ v.T - (do * o).sum(-1, keepdim=True))
    return scale * (ds @ k), scale * (ds.T @ q), p.T @ do
