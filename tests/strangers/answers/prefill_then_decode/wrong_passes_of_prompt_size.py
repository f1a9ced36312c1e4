# Reads the rest in chunks of `prompt` tokens as well instead of one token a pass, so scores take prompt x N numbers; the output is right.
def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    cache, outputs = KVCache(batch, heads, n, d), []
    for begin in range(0, n, prompt):
        now = slice(begin, begin + prompt)
        cache.append(k[:, :, now], v[:, :, now])
        outputs.append(cached_attention(q[:, :, now], cache.k, cache.v, cache.length))
    return torch.cat(outputs, dim=2)
