# assistant: M / (3 d) since the output can reuse Q's room: own definition of the tile


def largest_tile(d, on_chip):
    return on_chip // (3 * d)


def flash_attention_accesses(n, d, on_chip):
    loads = stores = 0
    for i in range(0, n, largest_tile(d, on_chip)):
        rows = min(i + largest_tile(d, on_chip), n) - i
        loads += rows * d + 2 * n * d
        stores += rows * d + rows
    return loads, stores
