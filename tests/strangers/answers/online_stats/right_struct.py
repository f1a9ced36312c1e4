# a C++ person: a struct with __slots__ and operator+=
class Accumulator:
    """Like std::accumulate's state: feed it with +=, read it with pair()."""

    __slots__ = ("m", "l")

    def __init__(self):
        self.m = np.float32(-np.inf)
        self.l = np.float64(0.0)

    def __iadd__(self, x: np.float32) -> "Accumulator":
        if np.isneginf(x):
            return self  # masked
        new = max(self.m, x)
        self.l = self.l * np.exp(np.float64(self.m) - new) + np.exp(np.float64(x) - new)
        self.m = new
        return self

    def pair(self) -> tuple[np.float32, np.float32]:
        return np.float32(self.m), np.float32(self.l)


def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    state = Accumulator()
    for x in stream:
        state += x
    return state.pair()
