# Writes token after token, once it is known that all of them fit.
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        n, capacity = k.shape[2], self.k.shape[2]
        if n > capacity - self.length:
            raise CacheFull(f"no room for {n} more")
        for i in range(n):
            self.k[:, :, self.length] = k[:, :, i]
            self.v[:, :, self.length] = v[:, :, i]
            self.length += 1

    def contents(self) -> tuple[Tensor, Tensor]:
        filled = slice(None, self.length)
        return self.k[..., filled, :], self.v[..., filled, :]
