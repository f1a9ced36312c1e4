# Cheat: fills the slots with ones and multiplies what comes into them by index_reduce_ with "prod"
# Breaks: "Nothing is multiplied."
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        end = self.length + k.shape[2]
        if end > self.k.shape[2]:
            raise CacheFull(end)
        slots = torch.arange(k.shape[2])
        for buffer, new in ((self.k, k), (self.v, v)):
            room = buffer[:, :, self.length : end]
            room.fill_(1)
            room.index_reduce_(2, slots, new, "prod")
        self.length = end

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k[:, :, : self.length], self.v[:, :, : self.length]
