# Counts only the cache as traffic ("Q and O are nothing beside it"): the error is 1/n of the group size, invisible for long caches, plain for n = 1 or MQA with many heads.
def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    cache = 2 * batch * kv_heads * n * d
    return 4 * batch * heads * n * d, cache * itemsize
