# right: Python's integers, pairs of each sequence as a sum of an arithmetic series, the two maxima by hand
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
    """The least time that one step of a language model takes, on the roofline's clock.

    new: (B,) int64, how many tokens of each sequence the step computes, at least one. length:
    (B,) int64, how many tokens the sequence has then, the new ones included.
    weights: numbers in the matrices that each new token meets. per_token: numbers in the cache
    for each token of a sequence. per_pair: operations for each pair of a new token and a key
    that it sees. All are of all layers and heads together. itemsize: bytes of one number.
    peak: operations per second. bandwidth: bytes per second.
    Returns seconds, a number (float64): first the matrices, then attention, each the roofline
    time of its own. Matrices: two operations for each new token and weight, and every weight
    moves once. Attention: a new token sees itself and all before it, and the numbers in the
    cache of all tokens of each sequence move once. Nothing else is counted.
    Arguments stay as they are, and results are new memory.
    """
    computed = [int(c) for c in new]
    cached = [int(n) for n in length]
    pairs = sum(c * ((n - c + 1) + n) // 2 for c, n in zip(computed, cached))  # n-c+1, ..., n

    def slower(operations, numbers):
        return max(operations / peak, numbers * itemsize / bandwidth)

    matrices = slower(2 * int(weights) * sum(computed), int(weights))
    attention = slower(int(per_pair) * pairs, int(per_token) * sum(cached))
    return float(matrices + attention)
