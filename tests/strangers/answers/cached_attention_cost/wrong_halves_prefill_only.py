# Ports the benchmark formula of FlashAttention: halves the operations when new == length and ignores the mask otherwise, so only decode steps are exact.
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    causal = new > 1 and new == length
    flops = 4 * new * length * heads * d // (2 if causal else 1)
    bytes_moved = itemsize * d * 2 * (heads * new + kv_heads * length)
    return flops, bytes_moved
