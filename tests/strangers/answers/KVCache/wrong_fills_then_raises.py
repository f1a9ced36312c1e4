# Stores token by token and raises in the middle: a call that does not fit leaves the tokens that did fit in the cache.
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        for t in range(k.shape[2]):
            if self.length == self.k.shape[2]:
                raise CacheFull()
            self.k[:, :, self.length], self.v[:, :, self.length] = k[:, :, t], v[:, :, t]
            self.length += 1

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k[:, :, : self.length], self.v[:, :, : self.length]
