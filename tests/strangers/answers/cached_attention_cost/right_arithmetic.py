# an arithmetic series by its closed form
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    fewest, most = length - new + 1, length  # keys that the first and the last query see
    pairs, odd = divmod((fewest + most) * new, 2)
    assert not odd
    numbers = 2 * d * (heads * new + kv_heads * length)
    return 4 * d * heads * pairs, numbers * itemsize
