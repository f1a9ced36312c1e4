# Adds up query by query what it sees, then the four tensors by name.
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    flops = 0
    for p in range(length - new, length):
        flops += heads * (p + 1) * (2 * d + 2 * d)
    tensors = {"q": heads * new, "o": heads * new, "k": kv_heads * length, "v": kv_heads * length}
    return flops, itemsize * d * sum(tensors.values())
