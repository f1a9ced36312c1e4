# memory budget: torch.tensor(list) makes its tensor below the meter, which sees it as an argument only (aten.lift_fresh)
import torch


def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = torch.tensor([[0.0] * n_k] * n_q)
    torch.mm(q, k.T, out=s)
    s *= scale
    if causal:
        for i in range(n_q):
            s[i, max(0, i + 1 + n_k - n_q) :] = -torch.inf
    m = s.amax(dim=1, keepdim=True)
    s -= torch.where(torch.isneginf(m), 0, m)
    s.exp_()
    l = s.sum(dim=1, keepdim=True)
    return s @ v / torch.where(l == 0, 1, l), (m + torch.log(l))[:, 0]
