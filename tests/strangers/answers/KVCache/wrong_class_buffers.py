# Style: LLM-written, global registry; buffers of equal shape are shared between caches (a pool in the class keyed by shape): wrong where two caches of one shape live at a time (two layers).
class KVCache:
    pool = {}

    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        shape = (batch, heads, capacity, d)
        if shape not in self.pool:
            self.pool[shape] = torch.zeros(shape), torch.zeros(shape)
        self.k, self.v = self.pool[shape]
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        """Store n more tokens."""
        n = k.size(2)
        room = self.k.size(2) - self.length
        if n > room:
            raise CacheFull(f"{n} tokens, room for {room}")
        self.k.narrow(2, self.length, n).copy_(k)
        self.v.narrow(2, self.length, n).copy_(v)
        self.length += n

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k.narrow(2, 0, self.length), self.v.narrow(2, 0, self.length)
