# Wrong: HF's repeat_kv: expand, and then a reshape that copies keys and values for each query head.
# Breaks: "H_kv heads of keys and values, which are not copied", "nothing of the size of k and v."
import torch
from torch import Tensor


def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    """Attention of H query heads with H_kv heads of keys and values, which are not copied.

    q: (B, H, N_q, d), k, v: (B, H_kv, N_k, d) float32; H_kv divides H. H_kv = H is multi-head,
    H_kv = 1 multi-query attention. Query head h takes the KV head floor(h / g), g = H / H_kv.
    causal: query i sees keys j <= i + N_k - N_q.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Returns o (B, H, N_q, d), same dtype; a query that sees no key gives zeros.
    Memory: the output and a few copies of the scores of all heads; nothing of the size of k
    and v. Each score is computed once, an eighth of them twice at the most, and none with
    another KV head.

        S_h = scale * q_h k_{h // g}^T        o_h = softmax(S_h) v_{h // g}

    Shazeer (2019), Ainslie et al. (2023).
    Forbidden: scaled_dot_product. It stays within torch and Python, without tolist of
    floating-point numbers. Arguments stay as they are, and results are new memory.
    """
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    def repeat_kv(x, g):
        b, h, n, d = x.shape
        return x[:, :, None].expand(b, h, g, n, d).reshape(b, h * g, n, d) if g > 1 else x

    k, v = repeat_kv(k, heads // kv_heads), repeat_kv(v, heads // kv_heads)
    s = scale * q @ k.mT
    if causal:
        seen = torch.ones(n_q, n_k, dtype=torch.bool).tril(n_k - n_q)
        s = s.masked_fill(~seen, -torch.inf)
    o = torch.softmax(s, dim=-1).nan_to_num(0.0) @ v
    return o
