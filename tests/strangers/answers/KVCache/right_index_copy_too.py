# index_copy_ at computed positions as in a static cache, one loop over the two buffers; views by narrow
class KVCache:
    """Keys and values of all tokens read so far, for one layer, in two buffers of fixed size.

    batch, heads, capacity, d: sizes of the buffers k and v, (batch, heads, capacity, d) float32
    each. Their first `length` tokens are filled.
    append(k, v) raises CacheFull where there is no room.
    Returns, where contents() is called, the keys and values of the filled slots.
    Memory: both buffers, and at the most one more of their size, while views of them are held.
    It stays within torch and Python. Arguments stay as they are.
    """

    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        """Store the keys and values of n more tokens behind those that are there.

        k, v: (batch, heads, n, d) float32, n >= 0. Returns nothing.
        Raises CacheFull if fewer than n slots are left, and then has changed nothing.
        """
        n, capacity = k.shape[2], self.k.shape[2]
        if n > capacity - self.length:
            raise CacheFull(f"{n} tokens, {capacity - self.length} free slots")
        where = torch.arange(self.length, self.length + n)
        for buffer, new in ((self.k, k), (self.v, v)):
            buffer.index_copy_(2, where, new)
        self.length = self.length + n

    def contents(self) -> tuple[Tensor, Tensor]:
        """All keys and all values so far.

        Returns two views of the buffers, (batch, heads, length, d) each; nothing is copied.
        """
        return tuple(torch.narrow(buffer, 2, 0, self.length) for buffer in (self.k, self.v))
