# One buffer of both, tokens first in memory, so that an append is one run of memory; k and v are views of it that stand as asked.
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.buffer = torch.zeros(capacity, 2, batch, heads, d)
        self.k = self.buffer[:, 0].permute(1, 2, 0, 3)
        self.v = self.buffer[:, 1].permute(1, 2, 0, 3)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        end = self.length + k.shape[2]
        if end > self.buffer.shape[0]:
            raise CacheFull
        rows = self.buffer[self.length : end]
        rows[:, 0] = k.permute(2, 0, 1, 3)
        rows[:, 1] = v.permute(2, 0, 1, 3)
        self.length = end

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k[:, :, : self.length], self.v[:, :, : self.length]
