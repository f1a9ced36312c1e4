# Style: llm.c with vectors: a loop over queries, each with the slice of keys that it sees; no mask.
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
    for i in range(n_q):
        sees = max(0, i + 1 + n_k - n_q) if causal else n_k
        if sees == 0:
            continue
        p = torch.exp(scale * (k[:sees] @ q[i]) - L[i])
        ds = p * (v[:sees] @ do[i] - torch.dot(do[i], o[i]))
        dq[i] = scale * (ds @ k[:sees])
        dk[:sees].addr_(ds, q[i], alpha=scale)
        dv[:sees].addr_(p, do[i])
    return dq, dk, dv
