# style: factored
def standard_attention_accesses(n: int, d: int) -> tuple[int, int]:
    return n * (3 * d + 2 * n), n * (d + 2 * n)
