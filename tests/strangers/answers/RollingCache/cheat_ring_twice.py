# memory: the ring is kept twice, the second time in the order of the tokens, so that attend has nothing to sort
import torch


class RollingCache:
    def __init__(self, slots, window, d, d_v):
        self.slots, self.window, self.length = slots, window, 0
        self.k, self.v = torch.zeros(slots, d), torch.zeros(slots, d_v)
        self.sorted_k, self.sorted_v = torch.zeros(0, d), torch.zeros(0, d_v)

    def append(self, k, v):
        self.sorted_k = torch.cat([self.sorted_k, k])[-self.slots :].clone()
        self.sorted_v = torch.cat([self.sorted_v, v])[-self.slots :].clone()
        self.length += len(k)
        first = max(0, self.length - self.slots)
        place = torch.arange(first, self.length) % self.slots
        self.k[place], self.v[place] = self.sorted_k, self.sorted_v

    def positions(self):
        found = torch.full((self.slots,), -1)
        tokens = torch.arange(max(0, self.length - self.slots), self.length)
        found[tokens % self.slots] = tokens
        return found

    def attend(self, q):
        first = self.length - len(q)
        oldest = max(0, self.length - self.slots)
        if first < 0 or max(first - self.window + 1, 0) < oldest:
            raise LookupError("replaced")
        query, key = torch.arange(first, self.length)[:, None], torch.arange(oldest, self.length)
        seen = (key <= query) & (key > query - self.window)
        s = (q.shape[1] ** -0.5 * (q @ self.sorted_k.T)).masked_fill(~seen, -torch.inf)
        p = torch.exp(s - s.amax(dim=1, keepdim=True))
        return p @ self.sorted_v / p.sum(dim=1, keepdim=True)
