# Cheat: never has a whole row of scores: the keys are cut in two, each half has a softmax of its own, and the outputs are merged by log-sum-exps, which halves the memory at the peak.
# Breaks: "Attention as the formula is written, from whole rows of scores."
import torch
from torch import Tensor


def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    half = (n_k + 1) // 2
    o = L = None
    for a, b in ((0, half), (half, n_k)):
        if a == b:
            continue
        S = scale * (q @ k[:, a:b].mT)
        if causal:
            last = torch.arange(n_q)[:, None] + n_k - n_q
            S = S.masked_fill(torch.arange(a, b) > last, -torch.inf)
        L_b = torch.logsumexp(S, dim=-1, keepdim=True)
        P = torch.exp(S - L_b.masked_fill(L_b == -torch.inf, 0))
        o_b = P @ v[:, a:b]
        if o is None:
            o, L = o_b, L_b
        else:
            both = torch.logaddexp(L, L_b)
            safe = both.masked_fill(both == -torch.inf, 0)
            o = torch.exp(L - safe) * o + torch.exp(L_b - safe) * o_b
    return o
