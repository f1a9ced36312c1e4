# no heap at all: the list of holders is scanned for zeros, and every change is made on a copy that is put in place at the end
class BlockAllocator:
    """Numbered blocks, and how many holders each of them has."""

    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks

    def _changed(self, blocks, by, least):
        """The counts after `by` for each named block; NotHeld if one was below what is needed."""
        after = list(self.holders)
        for block in blocks:
            if after[block] < least:
                raise NotHeld(block)
            after[block] += by
        return after

    def allocate(self, n: int) -> list[int]:
        """Take the n >= 0 free blocks with the lowest numbers, each held once from now on."""
        free = [block for block, held in enumerate(self.holders) if held == 0]
        if n > len(free):
            raise OutOfBlocks(f"{n} asked for, {len(free)} free")
        taken = free[:n]
        for block in taken:
            self.holders[block] = 1
        return taken

    def share(self, blocks: list[int]) -> None:
        """Count one more holder for each of the blocks, two if it is named twice."""
        self.holders = self._changed(blocks, 1, 1)

    def free(self, blocks: list[int]) -> None:
        """Count one holder fewer for each of the blocks, two if it is named twice."""
        self.holders = self._changed(blocks, -1, 1)

    def counts(self) -> Tensor:
        """How many hold each block, (n_blocks,) int64; 0 is free."""
        return torch.tensor(self.holders, dtype=torch.int64)
