# Writes slot after slot in a loop over one stacked pair of buffers.
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        end = self.length + k.shape[2]
        if end > self.k.shape[2]:
            raise CacheFull
        for source, slot in enumerate(range(self.length, end)):
            for buffer, rows in ((self.k, k), (self.v, v)):
                buffer[..., slot, :] = rows[..., source, :]
        self.length = end

    def contents(self) -> tuple[Tensor, Tensor]:
        return tuple(buffer[:, :, : self.length] for buffer in (self.k, self.v))
