# style: names as in llm.c / FlashAttention's paper (dP, dS, D), keyword arguments
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
    T, S = q.size(0), k.size(0)
    softmax_scale = q.size(-1) ** -0.5 if scale is None else scale
    mask = torch.ones(T, S, dtype=torch.bool).tril_(S - T) if causal else None

    # recompute: P = exp(QK^T - LSE)
    P = recompute_probabilities(q, k, L=L, mask=mask, scale=softmax_scale)
    # backward into V
    dV = P.t().mm(do)
    # backward through softmax
    dS = score_gradients(P, v, o=o, do=do)
    # backward into Q and K
    dQ = dS.mm(k).mul_(softmax_scale)
    dK = dS.t().mm(q).mul_(softmax_scale)
    return dQ, dK, dV
