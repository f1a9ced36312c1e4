# free_list is rebuilt as a sorted list from the counts after every change, new counts are made on the side and put in place only when all is well
class BlockAllocator:
    """Numbered blocks, and how many holders each of them has.

    n_blocks >= 1: how many blocks there are, all of them free; their numbers, which alone are
    named, are 0 to n_blocks - 1.
    holders: for each block, how many hold it. A call that raises has changed nothing.
    Returns blocks as lists of numbers, and counts as a new tensor (n_blocks,) int64.
    Arguments stay as they are.
    """

    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def allocate(self, n: int) -> list[int]:
        """Take the n >= 0 free blocks with the lowest numbers, each held once from now on.

        Returns their numbers in ascending order. Raises OutOfBlocks if fewer than n are free.
        """
        if len(self.free_list) < n:
            raise OutOfBlocks(f"{n} asked for, {len(self.free_list)} free")
        taken = sorted(self.free_list)[:n]
        self.holders = [1 if block in taken else count for block, count in enumerate(self.holders)]
        self.free_list = [block for block, count in enumerate(self.holders) if count == 0]
        return taken

    def share(self, blocks: list[int]) -> None:
        """Count one more holder for each of the blocks, two if it is named twice.

        Raises NotHeld if one is free.
        """
        holders = list(self.holders)
        for block in blocks:
            if not self.holders[block]:
                raise NotHeld(block)
            holders[block] += 1
        self.holders = holders

    def free(self, blocks: list[int]) -> None:
        """Count one holder fewer for each of the blocks, two if it is named twice.

        A block that nobody holds any more is free. Raises NotHeld if a block has fewer holders
        than `blocks` names it.
        """
        holders = list(self.holders)
        for block in blocks:
            holders[block] -= 1
            if holders[block] < 0:
                raise NotHeld(block)
        self.holders = holders
        self.free_list = [block for block, count in enumerate(holders) if not count]

    def counts(self) -> Tensor:
        """How many hold each block, (n_blocks,) int64; 0 is free."""
        return torch.tensor(self.holders)
