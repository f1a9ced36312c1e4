# torch.split into the prompt and single tokens, an inner function for one pass, one cat at the end.
def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    sizes = [prompt] + [1] * (n - prompt)

    def one_pass(new_q, new_k, new_v):
        cache.append(new_k, new_v)
        keys, values = cache.contents()
        return cached_attention(new_q, keys, values, cache.length)

    pieces = zip(*(x.split(sizes, dim=2) for x in (q, k, v)))
    return torch.cat([one_pass(*piece) for piece in pieces], dim=2)
