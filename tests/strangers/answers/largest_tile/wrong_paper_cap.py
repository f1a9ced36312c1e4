# min(M / 4d, d) as in the paper's tiles of queries; here B is not limited by d
def largest_tile(d: int, on_chip: int) -> int:
    return min(on_chip // (4 * d), d)
