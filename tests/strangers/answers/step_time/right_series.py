# whole numbers of Python only; a chunk's pairs as an arithmetic series from its first to its last token
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
    def longer(operations, numbers):
        compute, move = operations / peak, numbers * itemsize / bandwidth
        return compute if compute > move else move

    tokens = keys = pairs = 0
    for c, n in zip(map(int, new), map(int, length)):
        tokens, keys = tokens + c, keys + n
        pairs += c * ((n - c + 1) + n) // 2  # the first sees n - c + 1 keys, the last n
    return float(longer(2 * weights * tokens, weights) + longer(per_pair * pairs, per_token * keys))
