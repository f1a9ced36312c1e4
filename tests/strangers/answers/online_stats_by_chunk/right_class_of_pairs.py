# right: a small class; every chunk becomes a pair of its own maximum and sum, and the pairs are merged with guarded factors
class _Pair:
    def __init__(self, m, l):
        self.m, self.l = m, l

    @classmethod
    def of(cls, chunk):
        m = chunk.max(axis=1)
        base = np.nan_to_num(m, neginf=0.0, copy=True)
        return cls(m, np.exp(chunk - base[:, None]).sum(axis=1, dtype=chunk.dtype))

    def merged(self, other):
        m = np.maximum(self.m, other.m)
        base = np.nan_to_num(m, neginf=0.0, copy=True)
        return _Pair(m, self.l * np.exp(self.m - base) + other.l * np.exp(other.m - base))


def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    total = None
    for chunk in chunks:
        pair = _Pair.of(chunk)
        total = pair if total is None else total.merged(pair)
    return total.m, total.l
