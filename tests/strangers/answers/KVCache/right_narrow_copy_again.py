# narrow and copy_, with the room asked for before anything is touched.
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        n, room = k.size(2), self.k.size(2) - self.length
        if n > room:
            raise CacheFull(f"{n} tokens, room for {room}")
        self.k.narrow(2, self.length, n).copy_(k)
        self.v.narrow(2, self.length, n).copy_(v)
        self.length += n

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k.narrow(2, 0, self.length), self.v.narrow(2, 0, self.length)
