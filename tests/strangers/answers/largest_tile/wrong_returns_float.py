# the quotient is rounded down with np.floor and stays a float, and no int comes back
def largest_tile(d: int, on_chip: int) -> int:
    return np.floor(on_chip / (4 * d))
