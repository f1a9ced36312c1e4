# Right: a torch tensor of counts instead of lists and a heap; torch.bincount, nonzero, tolist of whole numbers
import torch
from torch import Tensor


class OutOfBlocks(RuntimeError):
    """More blocks are asked for than are free."""


class NotHeld(RuntimeError):
    """A block that nobody holds is shared or freed."""


class BlockAllocator:
    """Numbered blocks, and how many holders each of them has."""

    def __init__(self, n_blocks: int):
        self.n_blocks = n_blocks
        self.holders = torch.zeros(n_blocks, dtype=torch.int64)

    def _named(self, blocks: list[int]) -> Tensor:
        return torch.bincount(torch.tensor(blocks, dtype=torch.int64), minlength=self.n_blocks)

    def allocate(self, n: int) -> list[int]:
        free = (self.holders == 0).nonzero().flatten()
        if n > len(free):
            raise OutOfBlocks(n)
        taken = free[:n]
        self.holders[taken] = 1
        return taken.tolist()

    def share(self, blocks: list[int]) -> None:
        more = self._named(blocks)
        if ((more > 0) & (self.holders == 0)).any():
            raise NotHeld(blocks)
        self.holders += more

    def free(self, blocks: list[int]) -> None:
        fewer = self._named(blocks)
        if (fewer > self.holders).any():
            raise NotHeld(blocks)
        self.holders -= fewer

    def counts(self) -> Tensor:
        """How many hold each block, (n_blocks,) int64; 0 is free."""
        return self.holders.clone()
