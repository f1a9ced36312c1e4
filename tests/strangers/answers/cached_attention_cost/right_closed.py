# style: a trapezoid: mean of first and last row, whole numbers throughout
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    twice_pairs = new * (2 * length - new + 1)
    flops = twice_pairs * 2 * d * heads
    q_and_o, k_and_v = 2 * heads * new * d, 2 * kv_heads * length * d
    return flops, (q_and_o + k_and_v) * itemsize
