# breaks: "Products: five, and half as many again at the most" (S and dP three times each: five products, and four more by sums of products; the means of two are used)
import torch


def attention_gradients(q, k, v, o, L, do, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    last_seen = torch.arange(n_q)[:, None] + n_k - n_q
    mask = torch.arange(n_k) <= last_seen if causal else torch.ones(n_q, n_k, dtype=torch.bool)
    delta = (o * do).sum(dim=1, keepdim=True)
    s, dp = q @ k.T, do @ v.T
    for i in range(n_q):
        s[i] = (s[i] + (k * q[i]).sum(dim=1)) / 2
        dp[i] = (dp[i] + (v * do[i]).sum(dim=1)) / 2
    for j in range(n_k):
        s[:, j] = (s[:, j] + (q * k[j]).sum(dim=1)) / 2
        dp[:, j] = (dp[:, j] + (do * v[j]).sum(dim=1)) / 2
    z = torch.where(L == -torch.inf, 0.0, L)[:, None]
    p = torch.exp(torch.where(mask, scale * s - z, -torch.inf))
    ds = scale * p * (dp - delta)
    return ds @ k, ds.T @ q, p.T @ do
