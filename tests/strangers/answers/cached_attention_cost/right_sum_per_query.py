# A sum over the queries, each with the keys that it sees.
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    seen = sum(range(length - new + 1, length + 1))
    return heads * seen * d * 4, 2 * d * itemsize * (heads * new + kv_heads * length)
