# No free list at all: free blocks are those with count 0; every change is made on a copy of the counts that replaces the old one at the end.
class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks

    def allocate(self, n: int) -> list[int]:
        blocks = []
        for number, count in enumerate(self.holders):
            if len(blocks) == n:
                break
            if count == 0:
                blocks.append(number)
        if len(blocks) < n:
            raise OutOfBlocks(n)
        for number in blocks:
            self.holders[number] = 1
        return blocks

    def _changed(self, blocks, by):
        holders = self.holders.copy()
        for block in blocks:
            if holders[block] < 1:
                raise NotHeld(block)
            holders[block] += by
        return holders

    def share(self, blocks: list[int]) -> None:
        self.holders = self._changed(blocks, +1)

    def free(self, blocks: list[int]) -> None:
        self.holders = self._changed(blocks, -1)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders, dtype=torch.int64)
