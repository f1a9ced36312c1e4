# the loop of the kernel written as a range whose length is asked
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    turns = len(range(0, n, largest_tile(d, on_chip)))
    queries = keys = values = outputs = n * d
    return queries + turns * (keys + values), outputs + n
