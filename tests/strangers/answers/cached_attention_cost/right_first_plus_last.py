# Right: an arithmetic series of the keys that the queries see, first plus last; bytes tensor by tensor.
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    fewest, most = length - new + 1, length
    products = new * (fewest + most) // 2 * heads * d  # multiplications of one of the two
    shapes = {
        "q": (heads, new, d),
        "k": (kv_heads, length, d),
        "v": (kv_heads, length, d),
        "o": (heads, new, d),
    }
    crossed = sum(a * b * c for a, b, c in shapes.values())
    return 2 * 2 * products, crossed * itemsize
