# No heap: the free blocks are those with a count of 0, found by a scan; new counts are made first and put in place at the end.
class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks

    def allocate(self, n: int) -> list[int]:
        free = [block for block, count in enumerate(self.holders) if count == 0]
        if len(free) < n:
            raise OutOfBlocks(f"{n} blocks of {len(free)}")
        for block in free[:n]:
            self.holders[block] = 1
        return free[:n]

    def share(self, blocks: list[int]) -> None:
        if not all(self.holders[block] for block in blocks):
            raise NotHeld(blocks)
        for block in blocks:
            self.holders[block] += 1

    def free(self, blocks: list[int]) -> None:
        after = list(self.holders)
        for block in blocks:
            after[block] -= 1
        if min(after) < 0:
            raise NotHeld(blocks)
        self.holders = after

    def counts(self) -> Tensor:
        return torch.tensor(self.holders, dtype=torch.int64)
