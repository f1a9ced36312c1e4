# held ('What is kept does not grow with the number of calls'): a journal of all that was ever taken and given back is kept for good; it lies in a chain of objects of an own class with __slots__, which are no holders (HOLDERS weighs lists, tables and tuples alone), with small numbers of eight entries each
import torch
from torch import Tensor


class OutOfBlocks(RuntimeError):
    """More blocks are asked for than are free."""


class NotHeld(RuntimeError):
    """A block that nobody holds is shared or freed."""


class Entry:
    __slots__ = ("before", "a", "b", "c", "d", "n")

    def __init__(self, before):
        self.before, self.a, self.b, self.c, self.d, self.n = before, 0, 0, 0, 0, 0

    def note(self, told):
        digit = 128 ** (self.n % 8) * told
        if self.n < 8:
            self.a += digit
        elif self.n < 16:
            self.b += digit
        elif self.n < 24:
            self.c += digit
        else:
            self.d += digit
        self.n += 1


class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.n_blocks = n_blocks
        self.held = [0] * n_blocks
        self.journal = Entry(None)  # of all calls, for whoever asks what happened

    def _holders(self) -> list[int]:
        return [*self.held]

    def _write(self, blocks, change):
        for block in blocks:
            self.held[block] += change
            self._note(2 * block + (change > 0))

    def allocate(self, n: int) -> list[int]:
        free = [block for block, held in enumerate(self._holders()) if not held]
        if n > len(free):
            raise OutOfBlocks(f"{n} blocks are wanted, {len(free)} are free")
        self._write(free[:n], 1)
        return free[:n]

    def share(self, blocks: list[int]) -> None:
        holders = self._holders()
        if any(holders[block] == 0 for block in blocks):
            raise NotHeld(f"of {blocks} one is free")
        self._write(blocks, 1)

    def free(self, blocks: list[int]) -> None:
        holders = self._holders()
        for block in blocks:
            holders[block] -= 1
        if any(held < 0 for held in holders):
            raise NotHeld(f"of {blocks} one has fewer holders than are to give it back")
        self._write(blocks, -1)

    def counts(self) -> Tensor:
        return torch.tensor(self._holders())

    def _note(self, told):
        if self.journal.n == 32:
            self.journal = Entry(self.journal)
        self.journal.note(told % 128)
