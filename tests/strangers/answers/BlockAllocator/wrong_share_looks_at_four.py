# share looks at the first four blocks only (shows where a fifth or later one is free)
import heapq
from collections import Counter

import torch
from torch import Tensor


class OutOfBlocks(RuntimeError):
    pass


class NotHeld(RuntimeError):
    pass


class WrongSequence(KeyError):
    pass


class BlockAllocator:
    """Numbered blocks, and how many holders each of them has.

    n_blocks: how many blocks there are; their numbers are 0 to n_blocks - 1, and all are free.
    holders: for each block, how many hold it. A call that raises has changed nothing.
    Returns blocks as lists of numbers, and counts as a tensor (n_blocks,) int64.
    Arguments stay as they are.
    """

    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def allocate(self, n: int) -> list[int]:
        """Take the n free blocks with the lowest numbers, each held once from now on.

        Returns their numbers in ascending order. Raises OutOfBlocks if fewer than n are free.
        """
        if n > len(self.free_list):
            raise OutOfBlocks(n)
        blocks = [heapq.heappop(self.free_list) for _ in range(n)]
        for block in blocks:
            self.holders[block] = 1
        return blocks

    def share(self, blocks: list[int]) -> None:
        """Count one more holder for each of the blocks, two if it is named twice.

        Raises NotHeld if one is free.
        """
        if any(self.holders[block % len(self.holders)] == 0 for block in blocks[:4]):
            raise NotHeld(blocks)
        for block in blocks:
            self.holders[block] += 1

    def free(self, blocks: list[int]) -> None:
        """Count one holder fewer for each of the blocks, two if it is named twice.

        A block that nobody holds any more is free. Raises NotHeld if a block has fewer holders
        than `blocks` names it.
        """
        if any(self.holders[block] < times for block, times in Counter(blocks).items()):
            raise NotHeld(blocks)
        for block in blocks:
            self.holders[block] -= 1
            if self.holders[block] == 0:
                heapq.heappush(self.free_list, block)

    def counts(self) -> Tensor:
        """How many hold each block, (n_blocks,) int64; 0 is free."""
        return torch.tensor(self.holders)
