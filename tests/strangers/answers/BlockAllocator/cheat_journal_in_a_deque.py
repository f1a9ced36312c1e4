# What is kept grows with the number of calls: all that was ever allocated, shared and freed is written down, and gone through anew to know who holds what; a deque of small numbers is neither a list, a table nor a large number, which are what is weighed.
from collections import deque


class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.n_blocks = n_blocks
        self.journal = deque()  # n + 1 for a holder more of block n, -n - 1 for one fewer

    def holders(self):
        held = [0] * self.n_blocks
        for entry in self.journal:
            held[abs(entry) - 1] += 1 if entry > 0 else -1
        return held

    def allocate(self, n: int) -> list[int]:
        free = [block for block, times in enumerate(self.holders()) if times == 0]
        if n > len(free):
            raise OutOfBlocks(f"{n} blocks are wanted, {len(free)} are free")
        self.journal.extend(block + 1 for block in free[:n])
        return free[:n]

    def share(self, blocks: list[int]) -> None:
        held = self.holders()
        if any(held[block] == 0 for block in blocks):
            raise NotHeld(f"of {blocks} one is free")
        self.journal.extend(block + 1 for block in blocks)

    def free(self, blocks: list[int]) -> None:
        held = self.holders()
        if any(held[block] < times for block, times in Counter(blocks).items()):
            raise NotHeld(f"of {blocks} one has fewer holders than are to give it back")
        self.journal.extend(-block - 1 for block in blocks)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders())
