# Style: a generator of passes over pairs of neighbouring borders; keys come from contents().
from itertools import pairwise

import torch
from torch import Tensor


def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)

    def passes():
        for begin, end in pairwise([0, *range(prompt, n + 1)]):
            cache.append(k[..., begin:end, :], v[..., begin:end, :])
            keys, values = cache.contents()
            yield cached_attention(q[..., begin:end, :], keys, values, end)

    return torch.cat(list(passes()), dim=-2)
