# Lets the slice assignment fail and turns its RuntimeError into CacheFull, but one token broadcasts silently into the empty slice of a full cache: no error, and length passes the capacity.
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        end = self.length + k.shape[2]
        try:
            self.k[:, :, self.length : end] = k
            self.v[:, :, self.length : end] = v
        except RuntimeError as error:  # shapes differ: there was no room
            raise CacheFull from error
        self.length = end

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k[:, :, : self.length], self.v[:, :, : self.length]
