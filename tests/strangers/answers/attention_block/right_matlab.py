# Right: Matlab, one statement a line, capital names, no helper.
import torch


def attention_block(q, k, v, mask=None, scale=None):
    [N, d] = q.shape
    [M, dv] = v.shape
    if scale is None:
        scale = 1 / d**0.5
    S = scale * torch.mm(q, k.t())
    if mask is not None:
        S[~mask] = -torch.inf
    Mx = torch.max(S, 1)[0]
    Sh = Mx.clone()
    Sh[torch.isinf(Mx)] = 0
    P = torch.exp(S - Sh.reshape(N, 1))
    L = torch.sum(P, 1)
    Dn = L.clone()
    Dn[L == 0] = 1
    O = torch.mm(P, v) / Dn.reshape(N, 1)
    return O, Mx, L
