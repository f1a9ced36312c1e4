# Works in float32 gigabytes and goes back to bytes: an int, but rounded to 24 bits wherever the sizes are not round.
def cache_bytes(
    layers: int, heads: int, kv_heads: int, d: int, tokens: int, batch: int, itemsize: int
) -> int:
    sizes = torch.tensor([2, layers, kv_heads, d, tokens, batch, itemsize], dtype=torch.float32)
    gib = sizes.prod() / 2**30
    return int(gib * 2**30)
