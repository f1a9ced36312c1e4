# nanoGPT line with 1/sqrt(d) written in, so an explicit scale is ignored
import math


def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
    if causal:
        hide = torch.ones(n_q, n_k, dtype=torch.bool, device=q.device).triu(n_k - n_q + 1)
        att = att.masked_fill(hide, float("-inf"))
    att = torch.nan_to_num(torch.softmax(att, dim=-1))
    return att @ v
