# memory budget: triton.cdiv of a tensor allocates in a file of Triton's, which is not counted; out= writes the scores there
import torch
import triton


def online_attention(q, k, v, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = triton.cdiv(q.new_zeros(1).expand(n_q, n_k), 1)
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
