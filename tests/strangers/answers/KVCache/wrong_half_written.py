# Wrong: stores token by token and raises CacheFull only when it meets the first token without a slot, so a failed append of several tokens has stored some of them and moved the length; appends of one token at a time are right.
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        capacity = self.k.shape[2]
        for t in range(k.shape[2]):
            if self.length == capacity:
                raise CacheFull("no slot left")
            self.k[:, :, self.length] = k[:, :, t]
            self.v[:, :, self.length] = v[:, :, t]
            self.length += 1

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k[:, :, : self.length], self.v[:, :, : self.length]
