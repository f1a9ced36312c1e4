# narrow() and copy_(), a property for what is left, __repr__ and __len__
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def __repr__(self) -> str:
        return f"KVCache({self.length} of {self.k.shape[2]} tokens)"

    def __len__(self) -> int:
        return self.length

    @property
    def room(self) -> int:
        return self.k.shape[2] - self.length

    def append(self, k: Tensor, v: Tensor) -> None:
        n = k.shape[2]
        if n > self.room:
            raise CacheFull(f"{n} tokens for {self.room} free slots")
        for buffer, new in ((self.k, k), (self.v, v)):
            buffer.narrow(2, self.length, n).copy_(new)
        self.length += n

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k.narrow(2, 0, self.length), self.v.narrow(2, 0, self.length)
