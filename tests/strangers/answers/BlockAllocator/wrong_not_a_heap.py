# Wrong: blocks that are given back are appended, so that the list is a heap no more.
# Breaks: "Take the n >= 0 free blocks with the lowest numbers".
import heapq

from collections import Counter

import torch
from torch import Tensor


class BlockAllocator:
    """Numbered blocks, and how many holders each of them has.

    n_blocks >= 1: how many blocks there are, all of them free; their numbers, which alone are
    named, are 0 to n_blocks - 1.
    holders: for each block, how many hold it. A call that raises has changed nothing. What is
    kept does not grow with the number of calls.
    Returns blocks as new lists of numbers, and counts as a new tensor (n_blocks,) int64.
    Arguments stay as they are.
    """

    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def allocate(self, n: int) -> list[int]:
        """Take the n >= 0 free blocks with the lowest numbers, each held once from now on.

        Returns their numbers in ascending order. Raises OutOfBlocks if fewer than n are free.
        """
        if n > len(self.free_list):
            raise OutOfBlocks(n)
        blocks = sorted(heapq.heappop(self.free_list) for _ in range(n))
        for block in blocks:
            self.holders[block] = 1
        return blocks

    def share(self, blocks: list[int]) -> None:
        """Count one more holder for each of the blocks, two if it is named twice.

        Raises NotHeld if one is free.
        """
        if not all(self.holders[block] for block in blocks):
            raise NotHeld(blocks)
        for block in blocks:
            self.holders[block] += 1

    def free(self, blocks: list[int]) -> None:
        """Count one holder fewer for each of the blocks, two if it is named twice.

        A block that nobody holds any more is free. Raises NotHeld if a block has fewer holders
        than `blocks` names it.
        """
        if any(self.holders[block] < n for block, n in Counter(blocks).items()):
            raise NotHeld(blocks)
        for block in blocks:
            self.holders[block] -= 1
            if not self.holders[block]:
                self.free_list.append(block)

    def counts(self) -> Tensor:
        """How many hold each block, (n_blocks,) int64; 0 is free."""
        return torch.tensor(self.holders)
