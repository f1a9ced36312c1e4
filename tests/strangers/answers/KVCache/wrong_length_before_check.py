# Adds to the length before it looks at the capacity: after a refused append the length is too large and later appends that fit are refused.
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        first = self.length
        self.length += k.shape[-2]
        if self.length > self.k.shape[-2]:
            raise CacheFull(self.length)
        self.k[..., first : self.length, :] = k
        self.v[..., first : self.length, :] = v

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k[..., : self.length, :], self.v[..., : self.length, :]
