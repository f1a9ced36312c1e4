# lets the softmax work on S where it lies, so P is neither loaded nor stored apart
def standard_attention_accesses(n: int, d: int) -> tuple[int, int]:
    loads = 3 * n * d + n * n
    stores = n * d + n * n
    return loads, stores
