# factored by n
def standard_attention_accesses(n: int, d: int) -> tuple[int, int]:
    return n * (2 * n + 3 * d), n * (2 * n + d)
