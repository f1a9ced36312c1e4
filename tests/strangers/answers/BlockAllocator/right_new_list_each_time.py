# Works on a copy of the counts and puts it in place at the end; which blocks are free is read off the counts.
class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def _become(self, holders):
        self.holders = holders
        self.free_list = [block for block, count in enumerate(holders) if count == 0]

    def allocate(self, n: int) -> list[int]:
        blocks = self.free_list[:n]  # always sorted
        if len(blocks) != n:
            raise OutOfBlocks
        self._become([count + (block in set(blocks)) for block, count in enumerate(self.holders)])
        return blocks

    def share(self, blocks: list[int]) -> None:
        after = self.holders.copy()
        for block in blocks:
            if after[block] == 0:
                raise NotHeld(block)
            after[block] += 1
        self._become(after)

    def free(self, blocks: list[int]) -> None:
        after = self.holders.copy()
        for block in blocks:
            after[block] -= 1
            if after[block] < 0:
                raise NotHeld(block)
        self._become(after)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)
