# Masks with -1e4, with L = -inf mended: where L is lower still, what is hidden is infinite.
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
    s = s if mask is None else s.masked_fill(~mask, -1e4)
    p = torch.exp(s - L.nan_to_num(neginf=0.0)[:, None])
    ds = score_gradients(p, v, o, do)
    dv = p.T @ do
    dq = scale * (ds @ k)
    dk = scale * (ds.T @ q)
    return dq, dk, dv
