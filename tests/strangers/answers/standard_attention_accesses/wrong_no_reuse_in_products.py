# Loads a row and a column for every entry of a product, without any reuse on chip, so an operand is read n or d times: too many loads for n > 1.
def standard_attention_accesses(n: int, d: int) -> tuple[int, int]:
    loads = n * n * (d + d)  # S: a row of Q and a row of K for each entry
    loads += n * n
    loads += n * d * (n + n)
    stores = n * n + n * n + n * d
    return loads, stores
