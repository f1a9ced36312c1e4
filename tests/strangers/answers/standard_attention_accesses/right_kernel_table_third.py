# A table of the three kernels with the sizes that each loads and stores, added up by column.
def standard_attention_accesses(n: int, d: int) -> tuple[int, int]:
    thin, square = n * d, n * n
    kernels = [
        ((thin, thin), square),  # Q, K -> S
        ((square,), square),  # S -> P
        ((square, thin), thin),  # P, V -> O
    ]
    loads = sum(sum(operands) for operands, _ in kernels)
    stores = sum(result for _, result in kernels)
    return loads, stores
