# Wrong: stores token by token and notices only at the first one without a slot, so an append that raises CacheFull has already stored part of its tokens and moved the length.
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        for key, value in zip(k.unbind(2), v.unbind(2)):
            if self.length == self.k.shape[2]:
                raise CacheFull("no slot left")
            self.k[:, :, self.length] = key
            self.v[:, :, self.length] = value
            self.length += 1

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k[:, :, : self.length], self.v[:, :, : self.length]
