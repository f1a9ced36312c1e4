# loads and stores summed over the three kernels
def standard_attention_accesses(n: int, d: int) -> tuple[int, int]:
    kernels = [
        (2 * n * d, n * n),  # S = Q K^T
        (n * n, n * n),  # softmax
        (n * n + n * d, n * d),  # O = P V
    ]
    loads, stores = map(sum, zip(*kernels))
    return loads, stores
