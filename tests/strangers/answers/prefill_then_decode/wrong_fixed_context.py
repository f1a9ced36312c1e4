# Wrong: allocates a cache of a fixed maximum context of 2048 tokens as an inference engine would: CacheFull for N > 2048, and far more memory than O(B H N d) for short sequences.
def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    max_seq_len = 2048
    cache = KVCache(batch, heads, max_seq_len, d)
    outputs = []
    start = 0
    while start < n:
        stop = prompt if start == 0 else start + 1
        cache.append(k[:, :, start:stop], v[:, :, start:stop])
        outputs.append(cached_attention(q[:, :, start:stop], cache.k, cache.v, stop))
        start = stop
    return torch.cat(outputs, dim=2)
