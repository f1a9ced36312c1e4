# Assumes that P overwrites S and skips the softmax's store, and with it one of the two N x N stores; wrong for every n.
def standard_attention_accesses(n: int, d: int) -> tuple[int, int]:
    loads = (n * d + n * d) + n * n + (n * n + n * d)
    stores = n * n + n * d
    return loads, stores
