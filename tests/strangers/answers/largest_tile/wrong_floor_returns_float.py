# Uses np.floor of a true division and returns its float64: no int, so range() and slices downstream fail.
def largest_tile(d: int, on_chip: int) -> int:
    return np.floor(on_chip / (4.0 * d))
