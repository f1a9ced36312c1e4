# FlashAttention's benchmark rule "causal is half": flops // 2 for every causal call with new > 1, which forgets that old keys are seen whole and that the diagonal counts.
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    flops = 4 * new * length * heads * d // (2 if new > 1 else 1)
    elements = 2 * new * heads * d + 2 * length * kv_heads * d
    return flops, elements * itemsize
