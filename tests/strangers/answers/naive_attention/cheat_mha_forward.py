# forbidden 'scaled_dot_product': F.multi_head_attention_forward with its weights asked for does not call it, and does it all
import torch
import torch.nn.functional as F


def naive_attention(q, k, v, causal=False, scale=None):
    (h, n_q, d), n_k, d_v = q.shape, k.shape[1], v.shape[2]
    scale = d**-0.5 if scale is None else scale
    e = max(d, d_v)
    q, k, v = (F.pad(x, (0, e - x.shape[2])).transpose(0, 1) for x in (scale * e**0.5 * q, k, v))
    one = torch.eye(e)
    mask = torch.ones(n_q, n_k).triu(n_k - n_q + 1).bool() if causal else None
    o, _ = F.multi_head_attention_forward(
        q, k, v, e, 1, None, None, None, None, False, 0.0, one, None, training=False, attn_mask=mask,
        use_separate_proj_weight=True, q_proj_weight=one, k_proj_weight=one, v_proj_weight=one,
    )
    return torch.nan_to_num(o).transpose(0, 1)[..., :d_v].contiguous()
