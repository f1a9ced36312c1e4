# Right: both buffers handled in one loop with narrow and copy_, room asked for first.
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k, self.v = (torch.zeros(batch, heads, capacity, d) for _ in range(2))
        self.length = 0

    def _window(self, begin: int, n: int) -> tuple[Tensor, Tensor]:
        return self.k.narrow(2, begin, n), self.v.narrow(2, begin, n)

    def append(self, k: Tensor, v: Tensor) -> None:
        n = k.size(2)
        room = self.k.size(2) - self.length
        if room < n:
            raise CacheFull(f"{n} tokens for {room} slots")
        for slots, new in zip(self._window(self.length, n), (k, v)):
            slots.copy_(new)
        self.length = self.length + n

    def contents(self) -> tuple[Tensor, Tensor]:
        return self._window(0, self.length)
