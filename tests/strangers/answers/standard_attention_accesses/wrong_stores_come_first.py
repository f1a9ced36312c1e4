# right sums, returned as (stores, loads)
def standard_attention_accesses(n: int, d: int) -> tuple[int, int]:
    read = write = 0
    for operands, result in (((n * d, n * d), n * n), ((n * n,), n * n), ((n * n, n * d), n * d)):
        read += sum(operands)
        write += result
    return write, read
