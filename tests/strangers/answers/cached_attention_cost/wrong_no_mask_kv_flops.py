# Wrong: counts the full rectangle new x length without the causal mask; right for a decode step (new = 1), up to twice too much for a prefill.
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    group = heads // kv_heads
    flops = kv_heads * (2 * 2 * (group * new) * length * d)
    q_and_o = 2 * group * kv_heads * new * d
    k_and_v = 2 * kv_heads * length * d
    return flops, itemsize * (q_and_o + k_and_v)
