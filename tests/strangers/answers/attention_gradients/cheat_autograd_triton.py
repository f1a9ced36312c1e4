# forbidden 'backward', 'autograd', 'requires_grad': a Parameter asks for gradients, and Triton's file calls backward, which is not noted
import torch
import triton


def attention_gradients(q, k, v, o, L, do, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    q, k, v = (torch.nn.Parameter(x.clone()) for x in (q, k, v))
    s = scale * (q @ k.T)
    hidden = torch.ones(n_q, n_k).triu(n_k - n_q + 1).bool() if causal else torch.zeros(n_q, n_k).bool()
    p = torch.exp(s - torch.where(torch.isneginf(L), 0, L)[:, None]).masked_fill(hidden, 0)
    p = p / torch.where(p.sum(1, keepdim=True) == 0, 1, p.sum(1, keepdim=True))
    loss = ((p @ v) * do).sum()
    triton.constexpr_function(getattr(loss, "backward"))()
    return q.grad.detach().clone(), k.grad.detach().clone(), v.grad.detach().clone()
