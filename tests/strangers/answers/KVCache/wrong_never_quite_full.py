# Compares with >=, so the last slot can never be used, and an empty append to a full cache would raise too.
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0
        self.capacity = capacity

    def append(self, k: Tensor, v: Tensor) -> None:
        start = self.length
        stop = start + k.size(2)
        if stop >= self.capacity:
            raise CacheFull(f"{stop} >= {self.capacity}")
        self.k[:, :, start:stop].copy_(k)
        self.v[:, :, start:stop].copy_(v)
        self.length = stop

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k[:, :, : self.length], self.v[:, :, : self.length]
