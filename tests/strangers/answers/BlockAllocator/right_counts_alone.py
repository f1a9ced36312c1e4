# Right: no list of free blocks at all, the counts say everything; a new list of counts is made, checked, and only then kept.
class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks

    def _change(self, named, step):
        after = self.holders[:]
        for block in named:
            after[block] += step
        return after

    def allocate(self, n: int) -> list[int]:
        free = [block for block, held in enumerate(self.holders) if held == 0]
        if len(free) < n:
            raise OutOfBlocks(f"{n} of {len(free)}")
        taken = free[:n]
        self.holders = self._change(taken, +1)
        return taken

    def share(self, blocks: list[int]) -> None:
        if 0 in (self.holders[block] for block in blocks):
            raise NotHeld(blocks)
        self.holders = self._change(blocks, +1)

    def free(self, blocks: list[int]) -> None:
        after = self._change(blocks, -1)
        if min(after) < 0:
            raise NotHeld(blocks)
        self.holders = after

    def counts(self) -> Tensor:
        """How many hold each block, (n_blocks,) int64; 0 is free."""
        return torch.tensor(self.holders)
