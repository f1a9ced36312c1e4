# reads S three times in the middle kernel as the safe softmax in three loops does; an operand is read once
def standard_attention_accesses(n: int, d: int) -> tuple[int, int]:
    loads = 2 * n * d + 3 * n * n + (n * n + n * d)
    stores = n * n + n * n + n * d
    return loads, stores
