# narrow and copy_ with a helper that yields a piece of both buffers.
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    @property
    def room(self) -> int:
        return self.k.size(-2) - self.length

    def _piece(self, begin, n):
        return tuple(buffer.narrow(-2, begin, n) for buffer in (self.k, self.v))

    def append(self, k: Tensor, v: Tensor) -> None:
        n = k.size(-2)
        if self.room < n:
            raise CacheFull
        if n == 0:
            return
        for slots, new in zip(self._piece(self.length, n), (k, v)):
            slots.copy_(new)
        self.length += n

    def contents(self) -> tuple[Tensor, Tensor]:
        return self._piece(0, self.length)
