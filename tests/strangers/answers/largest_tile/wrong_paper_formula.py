# Uses the paper's tile size, rounded up and capped at d: too large where 4 d does not divide M, and too small where more than d rows fit.
def largest_tile(d: int, on_chip: int) -> int:
    import math

    B_c = math.ceil(on_chip / (4 * d))
    B_r = min(B_c, d)
    return B_r
