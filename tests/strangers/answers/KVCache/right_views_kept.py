# Keeps the views of the filled part beside the buffers, made anew by append: contents only hands them out.
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0
        self.filled = self.k[:, :, :0], self.v[:, :, :0]

    def append(self, k: Tensor, v: Tensor) -> None:
        end = self.length + k.size(2)
        if self.k.size(2) < end:
            raise CacheFull
        self.filled = self.k[:, :, :end], self.v[:, :, :end]
        for mine, new in zip(self.filled, (k, v), strict=True):
            mine[:, :, self.length :].copy_(new)
        self.length = end

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.filled
