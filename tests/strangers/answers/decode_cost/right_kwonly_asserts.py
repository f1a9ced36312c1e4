# style: asserts and inner function with keyword-only arguments
def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    assert heads % kv_heads == 0, f"{heads=} is no multiple of {kv_heads=}"

    def size(*, h: int, tokens: int) -> int:
        return batch * h * tokens * d

    products = 2 * 2 * size(h=heads, tokens=n)
    moved = 2 * size(h=heads, tokens=1) + 2 * size(h=kv_heads, tokens=n)
    return products, moved * itemsize
