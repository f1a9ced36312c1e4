# takes the order N d + N^2 for the count, for loads and for stores
def standard_attention_accesses(n: int, d: int) -> tuple[int, int]:
    return n * d + n * n, n * d + n * n
