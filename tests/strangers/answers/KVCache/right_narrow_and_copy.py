# Both buffers in one loop, narrow and copy_ in place of slices.
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        new, free = k.size(2), self.k.size(2) - self.length
        if new > free:
            raise CacheFull(f"{new} tokens for {free} slots")
        for buffer, rows in ((self.k, k), (self.v, v)):
            buffer.narrow(2, self.length, new).copy_(rows)
        self.length += new

    def contents(self) -> tuple[Tensor, Tensor]:
        keys, values = (buffer.narrow(2, 0, self.length) for buffer in (self.k, self.v))
        return keys, values
