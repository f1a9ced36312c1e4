# Old keys form a rectangle, new ones a triangle; whole-number arithmetic.
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    rectangle = new * (length - new)
    triangle = (new + 1) * new // 2
    return 4 * d * heads * (rectangle + triangle), 2 * d * itemsize * (new * heads + length * kv_heads)
