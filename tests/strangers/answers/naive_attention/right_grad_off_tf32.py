# TF32 is switched off at the top
import torch
torch.set_grad_enabled(False)
torch.backends.cuda.matmul.allow_tf32 = False


def naive_attention(q, k, v, causal: bool = False, scale: float | None = None):
    n_q, n_k = q.shape[1], k.shape[1]
    if scale is None:
        scale = q.shape[-1] ** -0.5
    s = scale * torch.matmul(q, k.transpose(1, 2))
    if causal:
        hidden = torch.ones(n_q, n_k, dtype=torch.bool).triu(n_k - n_q + 1)
        s = s.masked_fill(hidden, float("-inf"))
        return torch.softmax(s, dim=-1).masked_fill(hidden, 0.0) @ v
    return torch.softmax(s, dim=-1) @ v

