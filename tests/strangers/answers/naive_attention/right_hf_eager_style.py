# Right: HF "eager_attention_forward" style: additive bias with finfo.min, then rows without keys zeroed; nn.functional
import torch
import torch.nn.functional as F
from torch import Tensor


def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale

    attn_weights = torch.matmul(q, k.transpose(-1, -2)) * scale
    if causal:
        cache_position = torch.arange(n_k - n_q, n_k)
        attention_mask = torch.arange(n_k)[None, :] > cache_position[:, None]
        attn_weights = attn_weights.masked_fill(attention_mask[None], torch.finfo(q.dtype).min)
    # upcast attention to fp32
    attn_weights = F.softmax(attn_weights, dim=-1, dtype=torch.float32).to(q.dtype)
    attn_weights = F.dropout(attn_weights, p=0.0, training=False)
    attn_output = torch.matmul(attn_weights, v)
    if causal and n_q > n_k:
        attn_output[:, : n_q - n_k] = 0  # these see nothing
    return attn_output.contiguous()
