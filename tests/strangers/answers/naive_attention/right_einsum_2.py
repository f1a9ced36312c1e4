# Right: physicist, einsum for both products and tril for the mask.
import torch


def naive_attention(q, k, v, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    if scale is None:
        scale = q.shape[-1] ** -0.5
    scores = torch.einsum("hid,hjd->hij", q, k).mul_(scale)
    if causal:
        visible = torch.ones(n_q, n_k, dtype=torch.bool).tril(diagonal=n_k - n_q)
        scores.masked_fill_(visible.logical_not(), float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    if causal and n_q > n_k:
        weights[:, : n_q - n_k] = 0.0
    return torch.einsum("hij,hje->hie", weights, v)
