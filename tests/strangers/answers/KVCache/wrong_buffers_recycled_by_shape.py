# Keeps the buffers in a class-wide pool by shape "to save allocations", so two caches of the same size that live at once write over each other.
class KVCache:
    _buffers = {}

    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        shape = (batch, heads, capacity, d)
        if shape not in self._buffers:
            self._buffers[shape] = torch.zeros(shape), torch.zeros(shape)
        self.k, self.v = self._buffers[shape]
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        start, stop = self.length, self.length + k.shape[2]
        if stop > self.k.shape[2]:
            raise CacheFull
        self.k[:, :, start:stop], self.v[:, :, start:stop] = k, v
        self.length = stop

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k[:, :, : self.length], self.v[:, :, : self.length]
