# Wrong: j + window wraps around for windows near 2^63, and then everything is hidden.
# Breaks: "window: from 1 to 2^63 - 1 ...; from N_k on it hides nothing."
import torch
from torch import Tensor


def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    """Causal attention to the last `window` tokens and to the first `sinks` ones.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v) float32, N_q <= N_k: the queries are the last N_q of
    the N_k tokens.
    window: from 1 to 2^63 - 1, the token itself included; from N_k on it hides nothing.
    sinks: from 0 to 2^63 - 1; with 0 a token sees its window alone.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Returns o (N_q, d_v), same dtype: the query at position p sees the keys at positions j <= p
    with j > p - window or j < sinks, each once. Products: those of all queries with all keys,
    hidden ones too, twice at the most, for the window and for the sinks. Beltagy et al.
    (Longformer, 2020) for the window, Xiao et al. (2023) for the sinks.
    Forbidden: scaled_dot_product. It stays within torch and Python, without tolist of
    floating-point numbers. Arguments stay as they are, and results are new memory.
    """
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    j = torch.arange(n_k)
    p = torch.arange(n_k - n_q, n_k)[:, None]
    seen = (j <= p) & ((j + window > p) | (j < sinks))
    s = (scale * q @ k.T).masked_fill(~seen, -torch.inf)
    m = s.amax(dim=1, keepdim=True).clamp(min=-3e38) if n_k else 0
    e = torch.exp(s - m)
    return (e @ v) / e.sum(dim=1, keepdim=True).clamp(min=1e-30)
