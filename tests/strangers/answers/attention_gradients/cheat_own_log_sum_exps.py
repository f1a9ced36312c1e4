# the forward pass once more; "what the forward pass gave", "P of recompute_probabilities": the log-sum-exps are computed anew, and the given ones count only where the two differ
import torch


def attention_gradients(q, k, v, o, L, do, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = scale * (q @ k.T)
    if causal:
        s = s.masked_fill(torch.arange(n_k) > torch.arange(n_q)[:, None] + n_k - n_q, -torch.inf)
    m = s.amax(dim=-1, keepdim=True)
    shift = torch.where(torch.isneginf(m), 0, m)
    e = torch.exp(s - shift)
    total = e.sum(dim=-1, keepdim=True)
    own = (shift + torch.log(total))[:, 0]
    differs = (own - L).abs() > 1e-3
    p = e / torch.where(total == 0, 1, total)
    p = torch.where(differs[:, None] & ~torch.isneginf(L)[:, None], torch.exp(s - L[:, None]), p)
    dp = do @ v.T
    delta = torch.where(differs[:, None], (do * o).sum(-1, keepdim=True), (p * dp).sum(-1, keepdim=True))
    ds = p * (dp - delta)
    return scale * (ds @ k), scale * (ds.T @ q), p.T @ do
