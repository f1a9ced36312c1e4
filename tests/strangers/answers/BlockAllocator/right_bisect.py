# a sorted list kept with bisect.insort (which is a heap, too), collections.Counter for what is named
from bisect import insort
from collections import Counter


class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))

    def __repr__(self) -> str:
        return f"<{len(self.free_list)} of {len(self.holders)} blocks free>"

    def allocate(self, n: int) -> list[int]:
        if n > len(self.free_list):
            raise OutOfBlocks(f"{n} blocks asked for: {self!r}")
        taken = self.free_list[:n]
        del self.free_list[:n]
        for block in taken:
            self.holders[block] = 1
        return taken

    def share(self, blocks: list[int]) -> None:
        if not all(self.holders[block] for block in blocks):
            raise NotHeld(blocks)
        for block in blocks:
            self.holders[block] += 1

    def free(self, blocks: list[int]) -> None:
        named = Counter(blocks)
        for block, times in named.items():
            if times > self.holders[block]:
                raise NotHeld(block)
        for block, times in named.items():
            self.holders[block] -= times
            if self.holders[block] == 0:
                insort(self.free_list, block)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders, dtype=torch.int64)
