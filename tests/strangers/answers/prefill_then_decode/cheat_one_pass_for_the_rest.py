# Against the algorithm: all tokens after the prompt in one pass.
import torch
from torch import Tensor



def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    parts = []
    for begin, end in ((0, prompt), (prompt, n)):
        if begin < end:
            cache.append(k[:, :, begin:end], v[:, :, begin:end])
            parts.append(cached_attention(q[:, :, begin:end], cache.k, cache.v, cache.length))
    return torch.cat(parts, 2)
