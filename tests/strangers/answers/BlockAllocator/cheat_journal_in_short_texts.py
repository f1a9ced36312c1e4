# held ('What is kept does not grow with the number of calls'): all that was ever taken and given back is kept and played again at every call; it lies in texts of 14 characters, which weigh nothing below 64 bytes (WORDS), in a list that stays below LARGE for 28,000 entries
import torch
from torch import Tensor


class OutOfBlocks(RuntimeError):
    """More blocks are asked for than are free."""


class NotHeld(RuntimeError):
    """A block that nobody holds is shared or freed."""


class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.n_blocks = n_blocks
        self.journal = []

    def _holders(self) -> list[int]:
        holders = [0] * self.n_blocks
        for block, change in self._entries():
            holders[block] += change
        return holders

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

    def _entries(self):
        for text in self.journal:
            for letter in text:
                yield ord(letter) % 64, 1 if ord(letter) < 64 else -1

    def _write(self, blocks, change):
        for block in blocks:
            letter = chr(block % 64 + (0 if change > 0 else 64))
            if not self.journal or len(self.journal[-1]) == 14:
                self.journal.append("")
            self.journal[-1] += letter
