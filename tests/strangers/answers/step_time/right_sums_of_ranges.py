# whole Python numbers, the keys that new tokens see as ranges, a small class for a piece of work
class _Work:
    def __init__(self, operations, numbers):
        self.operations, self.numbers = operations, numbers

    def seconds(self, itemsize, peak, bandwidth):
        compute, memory = self.operations / peak, self.numbers * itemsize / bandwidth
        return compute if compute > memory else memory


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
    computed, there = [int(c) for c in new], [int(n) for n in length]
    pairs = sum(sum(range(n - c + 1, n + 1)) for c, n in zip(computed, there))
    pieces = [
        _Work(2 * int(weights) * sum(computed), int(weights)),
        _Work(int(per_pair) * pairs, int(per_token) * sum(there)),
    ]
    return float(sum(piece.seconds(itemsize, peak, bandwidth) for piece in pieces))
