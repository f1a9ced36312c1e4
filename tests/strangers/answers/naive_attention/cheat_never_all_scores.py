# "from whole rows of scores": one query of one head at a time, from tiles of eight keys with the recurrence of the next exercise; the matrix of scores is never there
import torch


def naive_attention(q, k, v, causal=False, scale=None):
    heads, n_q, d = q.shape
    n_k = k.shape[1]
    scale = d**-0.5 if scale is None else scale
    o = q.new_zeros(heads, n_q, v.shape[2])
    for h in range(heads):
        for i in range(n_q):
            seen = max(0, min(n_k, i + 1 + n_k - n_q)) if causal else n_k
            m, l, acc = torch.tensor(-torch.inf), torch.tensor(0.0), torch.zeros(v.shape[2])
            for j in range(0, seen, 8):
                s = scale * (k[h, j : min(j + 8, seen)] @ q[h, i])
                m_new = torch.maximum(m, s.max())
                alpha, p = torch.exp(m - m_new), torch.exp(s - m_new)
                l, acc, m = alpha * l + p.sum(), alpha * acc + p @ v[h, j : min(j + 8, seen)], m_new
            o[h, i] = acc / l if seen else acc
    return o
