# Right: check first, then narrow().copy_() into both buffers, length moved last; contents are narrow views.
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        n, room = k.size(2), self.k.size(2) - self.length
        if n > room:
            raise CacheFull(f"{n} tokens for {room} free slots")
        for buffer, fresh in ((self.k, k), (self.v, v)):
            buffer.narrow(2, self.length, n).copy_(fresh)
        self.length += n

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k.narrow(2, 0, self.length), self.v.narrow(2, 0, self.length)
