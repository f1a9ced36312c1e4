# a helper class holds each buffer, the cache holds two of them
class Buffer:
    def __init__(self, *shape):
        self.all, self.n = torch.zeros(shape), 0

    def seen(self):
        return self.all[:, :, : self.n]

    def add(self, new):
        self.all[:, :, self.n : self.n + new.shape[2]] = new
        self.n += new.shape[2]


class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.capacity = capacity
        self.keys, self.values = Buffer(batch, heads, capacity, d), Buffer(batch, heads, capacity, d)

    @property
    def length(self):
        return self.keys.n

    @property
    def room(self):
        return self.capacity - self.length

    def append(self, k, v):
        if k.shape[2] > self.room:
            raise CacheFull(self.room)
        self.keys.add(k)
        self.values.add(v)

    def contents(self):
        return self.keys.seen(), self.values.seen()
