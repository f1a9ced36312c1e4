# Right: checks the room first, copies through narrowed views of the buffers, moves the length last.
class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        more = k.size(2)
        room = self.k.size(2) - self.length
        if more > room:
            raise CacheFull(f"{more} tokens for {room} free slots")
        for buffer, new in ((self.k, k), (self.v, v)):
            buffer.narrow(2, self.length, more).copy_(new)
        self.length += more

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k.narrow(2, 0, self.length), self.v.narrow(2, 0, self.length)
