# index_copy_ along the tokens, the slots counted by arange; slices kept out of append.
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    @property
    def room(self) -> int:
        return self.k.shape[2] - self.length

    def append(self, k: Tensor, v: Tensor) -> None:
        n = k.shape[2]
        if n > self.room:
            raise CacheFull(f"{n} tokens, room for {self.room}")
        slots = torch.arange(self.length, self.length + n)
        self.k.index_copy_(2, slots, k)
        self.v.index_copy_(2, slots, v)
        self.length += n

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k[..., : self.length, :], self.v[..., : self.length, :]
