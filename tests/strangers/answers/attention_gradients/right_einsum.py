# Right: a derivation in index notation, five einsums, nothing called.
import torch


def attention_gradients(q, k, v, o, L, do, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    S = scale * torch.einsum("id,jd->ij", q, k)
    P = torch.exp(S - L[:, None])
    if causal:
        i, j = torch.meshgrid(torch.arange(n_q), torch.arange(n_k), indexing="ij")
        P = torch.where(j <= i + (n_k - n_q), P, torch.zeros_like(P))
    dV = torch.einsum("ij,ic->jc", P, do)
    dP = torch.einsum("ic,jc->ij", do, v)
    delta = (do * o).sum(1)
    dS = scale * P * (dP - delta[:, None])
    dQ = torch.einsum("ij,jd->id", dS, k)
    dK = torch.einsum("ij,id->jd", dS, q)
    return dQ, dK, dV
