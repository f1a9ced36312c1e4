# powers of two in Python floats, a class for the pair, the larger of the two decides
class Pair:
    """(m, l) with l in units of 2 ** (m log2 e)."""

    LOG2_E = 1.4426950408889634

    def __init__(self):
        self.m, self.l = float("-inf"), 0.0

    def take(self, x: float) -> None:
        if x > self.m:
            self.l = self.l * 2.0 ** ((self.m - x) * self.LOG2_E) + 1.0
            self.m = x
        elif x > float("-inf"):
            self.l += 2.0 ** ((x - self.m) * self.LOG2_E)


def online_stats(stream):
    pair = Pair()
    for x in stream:
        pair.take(float(x))
    return np.float32(pair.m), np.float32(pair.l)
