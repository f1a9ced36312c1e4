# Sums the two tensors of each layer by their shapes.
def cache_bytes(
    layers: int, heads: int, kv_heads: int, d: int, tokens: int, batch: int, itemsize: int
) -> int:
    one_tensor = batch * kv_heads * tokens * d * itemsize
    return sum((one_tensor, one_tensor)) * layers
