# right: takes the view of the free slots and compares its size; narrow and copy_
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        wanted = k.shape[2]
        free = self.k.shape[2] - self.length
        if free < wanted:
            raise CacheFull(f"{wanted} tokens, {free} free slots")
        for buffer, new in ((self.k, k), (self.v, v)):
            buffer.narrow(2, self.length, wanted).copy_(new)
        self.length += wanted

    def contents(self) -> tuple[Tensor, Tensor]:
        return tuple(buffer.narrow(2, 0, self.length) for buffer in (self.k, self.v))
