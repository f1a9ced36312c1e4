# Lists the three kernels as (operands, result) and sums columns.
def standard_attention_accesses(n: int, d: int) -> tuple[int, int]:
    tall, square = n * d, n * n
    kernels = [((tall, tall), square), ((square,), square), ((square, tall), tall)]
    loads = sum(sum(operands) for operands, _ in kernels)
    stores = sum(result for _, result in kernels)
    return loads, stores
