# Wrong: a full cache raises CacheFull at once, before looking at n, so appending n = 0 tokens to a full cache raises although nothing has to be stored.
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def is_full(self) -> bool:
        return self.length >= self.k.shape[2]

    def append(self, k: Tensor, v: Tensor) -> None:
        if self.is_full():
            raise CacheFull("cache is full")
        start, stop = self.length, self.length + k.shape[-2]
        if stop > self.k.shape[2]:
            raise CacheFull(f"need {stop} slots, have {self.k.shape[2]}")
        self.k[..., start:stop, :] = k
        self.v[..., start:stop, :] = v
        self.length = stop

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k[..., : self.length, :], self.v[..., : self.length, :]
