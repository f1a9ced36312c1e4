# Wrong: stores all tokens in the first pass and lets the length hide those to come.
# Breaks: "A pass appends its tokens to the cache, and no others."
import torch
from torch import Tensor


def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    """Causal attention over a sequence read through a cache: its prompt, then token by token.

    Made of `KVCache`, with room for N tokens or some more, and of `cached_attention`, which
    reads that.

    q, k, v: (B, H, N, d) float32, of all N tokens.
    prompt: tokens that are read in one pass, 1 <= prompt <= N; each other token has a
    pass of its own. A pass appends its tokens to the cache, and no others.
    Returns o (B, H, N, d), same dtype: what one pass over all N tokens gives.
    Memory: the cache, o, and the scores of one pass, O(B H (N d + prompt^2 + N)) numbers; keys
    and values are copied into the cache, and not out of it again.
    Products: a pass multiplies its queries, once, with the keys and values of the tokens read.
    Forbidden: scaled_dot_product. It stays within torch and Python, without tolist of
    floating-point numbers. It calls KVCache and KVCache.append and cached_attention.
    Arguments stay as they are, and results are new memory.
    """
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    cache.append(k, v)
    o = torch.empty_like(q)
    o[:, :, :prompt] = cached_attention(q[:, :, :prompt], cache.k, cache.v, prompt)
    for t in range(prompt, n):
        o[:, :, t : t + 1] = cached_attention(q[:, :, t : t + 1], cache.k, cache.v, t + 1)
    return o
