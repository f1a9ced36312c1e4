# operations of one entry of y times the entries, bytes factored by tokens
def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    entries = tokens * d_out
    per_entry = d_in + d_in  # multiplications, additions
    bytes_moved = itemsize * (tokens * (d_in + d_out) + d_in * d_out)
    return entries * per_entry, bytes_moved
