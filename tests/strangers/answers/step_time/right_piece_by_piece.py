# right: pairs as a sum of an arithmetic series from the first to the last new token, Python integers, a function for a piece of work
def step_time(
    new: np.ndarray,
    length: np.ndarray,
    weights: int,
    per_token: int,
    per_pair: int,
    itemsize: int,
    peak: float,
    bandwidth: float,
) -> float:

    def longer(operations, numbers):
        compute, move = operations / peak, numbers * itemsize / bandwidth
        return compute if compute > move else move

    tokens = pairs = kept = 0
    for c, n in zip(map(int, new), map(int, length)):
        fewest, most = n - c + 1, n  # keys that the first and the last new token see
        pairs += (fewest + most) * c // 2
        tokens += c
        kept += n
    return longer(2 * weights * tokens, weights) + longer(per_pair * pairs, per_token * kept)
