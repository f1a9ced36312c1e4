# torch.split with a list of sizes and zip, contents() handed to cached_attention, cat at the end
import torch


def prefill_then_decode(q, k, v, prompt):
    b, h, n, d = k.shape
    sizes = [prompt] + [1] * (n - prompt)
    cache = KVCache(b, h, n, d)
    outs = []
    for qs, ks, vs in zip(*(x.split(sizes, dim=2) for x in (q, k, v))):
        cache.append(ks, vs)
        outs.append(cached_attention(qs, *cache.contents(), cache.length))
    return torch.cat(outs, dim=2)
