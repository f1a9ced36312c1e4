# breaks: "Each score is computed once." (once for the maxima, by sums of products; once for the weights, by a product)
import torch


def naive_attention(q, k, v, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    mask = torch.zeros(n_q, n_k, dtype=torch.bool)
    if causal:
        mask = torch.arange(n_k) > torch.arange(n_q)[:, None] + n_k - n_q
    m = q.new_empty(q.shape[0], n_q, 1)
    for i in range(n_q):
        s = scale * (k * q[:, i : i + 1]).sum(dim=2)
        m[:, i, 0] = s.masked_fill(mask[i], -torch.inf).amax(dim=1)
    s = (scale * q @ k.transpose(1, 2)).masked_fill(mask, -torch.inf)
    p = torch.exp(s - torch.where(m == -torch.inf, 0.0, m))
    l = p.sum(dim=2, keepdim=True)
    return (p / torch.where(l == 0, 1.0, l)) @ v
