# thinks in three pieces of a buffer, filled / next / free, cut by split with the sizes; a failing cut is never tried
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def _cut(self, n: int) -> list[tuple[Tensor, ...]]:
        free = self.k.shape[2] - self.length - n
        if free < 0:
            raise CacheFull(f"{-free} tokens too many")
        return [x.split([self.length, n, free], dim=2) for x in (self.k, self.v)]

    def append(self, k: Tensor, v: Tensor) -> None:
        n = k.shape[2]
        for (_, slots, _), new in zip(self._cut(n), (k, v)):
            slots.copy_(new)
        self.length += n

    def contents(self) -> tuple[Tensor, Tensor]:
        (keys, _, _), (values, _, _) = self._cut(0)
        return keys, values
