# 'token p lies in slot p % slots': tokens lie one after the other, the newest last, and all move up with every append; k and v are properties that turn the buffers, in place, into a ring for whoever looks, and back at the next call
import torch


class RollingCache:
    def __init__(self, slots, window, d, d_v):
        self.window, self.slots, self.length, self.turned = window, slots, 0, 0
        self.keys, self.values = torch.zeros(slots, d), torch.zeros(slots, d_v)

    def turn(self, by):
        if by != self.turned:
            for x in (self.keys, self.values):
                for c in range(x.shape[1]):
                    x[:, c] = x[:, c].roll(by - self.turned)
            self.turned = by

    @property
    def k(self):
        self.turn(self.length % self.slots)
        return self.keys

    @property
    def v(self):
        self.turn(self.length % self.slots)
        return self.values

    def append(self, k, v):
        self.turn(0)
        n, stay = len(k), min(len(k), self.slots)
        for x, new in ((self.keys, k), (self.values, v)):
            for c in range(x.shape[1]):
                x[:, c] = x[:, c].roll(-stay)
            x[self.slots - stay :] = new[n - stay :]
        self.length += n

    def positions(self):
        slot, newest = torch.arange(self.slots), self.length - 1
        return (newest - (newest - slot) % self.slots).clamp(min=-1)

    def attend(self, q):
        self.turn(0)
        first = self.length - len(q)
        oldest = max(first - self.window + 1, 0)
        if first < 0 or oldest < self.length - self.slots:
            raise LookupError("a key that is needed is not in the cache")
        query = torch.arange(first, self.length)[:, None]
        key = torch.arange(self.length - self.slots, self.length)
        seen = (key >= 0) & (key <= query) & (key > query - self.window)
        s = (q.shape[-1] ** -0.5 * (q @ self.keys.T)).masked_fill(~seen, -torch.inf)
        return torch.softmax(s, dim=-1) @ self.values
