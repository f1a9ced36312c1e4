# Right: adds up the walks one by one, each with the queries that it really has.
def flash_attention_accesses(n, d, on_chip):
    rows = largest_tile(d, on_chip)
    loads, stores, first = 0, 0, 0
    while first < n:
        here = min(rows, n - first)
        loads += here * d  # Q
        loads += n * d  # K
        loads += n * d  # V
        stores += here * (d + 1)  # O and L
        first += here
    return loads, stores
