# A student's: free compares how many blocks are named with how many holders these have together. Two names of a block with one holder, beside a block with two, get by.
class BlockAllocator:
    """Numbered blocks, and how many holders each of them has.

    n_blocks >= 1: how many blocks there are, all of them free; their numbers, which alone are
    named, are 0 to n_blocks - 1.
    holders: for each block, how many hold it. A call that raises has changed nothing. What is
    kept does not grow with the number of calls.
    Returns blocks as lists of numbers, and counts as a new tensor (n_blocks,) int64.
    """

    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def allocate(self, n: int) -> list[int]:
        """Take the n >= 0 free blocks with the lowest numbers, each held once from now on.

        Returns their numbers in ascending order. Raises OutOfBlocks if fewer than n are free.
        """
        ### BEGIN SOLUTION
        if n > len(self.free_list):
            raise OutOfBlocks(f"{n} blocks are wanted, {len(self.free_list)} are free")
        blocks = [heapq.heappop(self.free_list) for _ in range(n)]
        for block in blocks:
            self.holders[block] = 1
        return blocks
        ### END SOLUTION

    def share(self, blocks: list[int]) -> None:
        """Count one more holder for each of the blocks, two if it is named twice.

        Raises NotHeld if one is free.
        """
        ### BEGIN SOLUTION
        if any(self.holders[block] == 0 for block in blocks):
            raise NotHeld(f"of {blocks} one is free")
        for block in blocks:
            self.holders[block] += 1
        ### END SOLUTION

    def free(self, blocks: list[int]) -> None:
        """Count one holder fewer for each of the blocks, two if it is named twice.

        A block that nobody holds any more is free. Raises NotHeld if a block has fewer holders
        than `blocks` names it.
        """
        ### BEGIN SOLUTION
        if any(self.holders[b] == 0 for b in blocks) or sum(self.holders[b] for b in set(blocks)) < len(blocks):
            raise NotHeld(f"of {blocks} one has fewer holders than are to give it back")
        for block in blocks:
            self.holders[block] -= 1
            if self.holders[block] == 0:
                heapq.heappush(self.free_list, block)
        ### END SOLUTION

    def counts(self) -> Tensor:
        """How many hold each block, (n_blocks,) int64; 0 is free."""
        return torch.tensor(self.holders)
