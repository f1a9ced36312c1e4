# Cheat: writes what fits into the free slots first, and raises CacheFull afterwards with the slots overwritten
# Breaks: "Raises CacheFull if fewer than n slots are left, and then has changed nothing."
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        room = self.k.shape[2] - self.length
        n = min(k.shape[2], room)
        self.k[:, :, self.length : self.length + n] = k[:, :, :n]
        self.v[:, :, self.length : self.length + n] = v[:, :, :n]
        if n < k.shape[2]:
            raise CacheFull(k.shape[2])
        self.length += n

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k[:, :, : self.length], self.v[:, :, : self.length]
