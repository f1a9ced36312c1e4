# Wrong: takes the masked triangle as new^2 // 2 instead of new (new - 1) / 2, so the flops lack about new / 2 pairs; right only for new = 1.
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    visible = new * length - new**2 // 2
    flops = 2 * 2 * heads * d * visible
    q_and_o = 2 * heads * new * d
    k_and_v = 2 * kv_heads * length * d
    return flops, (q_and_o + k_and_v) * itemsize
