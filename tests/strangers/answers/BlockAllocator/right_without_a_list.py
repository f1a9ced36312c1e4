# no free list: a free block is one without holders, looked for from number 0 on; every method first makes the new state and then puts it in place; right
from itertools import islice


class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks

    def _changed(self, blocks, by, allowed):
        new = list(self.holders)
        for b in blocks:
            if not allowed(new[b]):
                raise NotHeld(b)
            new[b] += by
        return new

    def allocate(self, n: int) -> list[int]:
        lowest = list(islice((b for b, h in enumerate(self.holders) if h == 0), n))
        if len(lowest) < n:
            raise OutOfBlocks(f"{n} blocks are asked for, {len(lowest)} are free")
        self.holders = self._changed(lowest, +1, lambda h: True)
        return lowest

    def share(self, blocks: list[int]) -> None:
        self.holders = self._changed(blocks, +1, lambda h: h > 0)

    def free(self, blocks: list[int]) -> None:
        self.holders = self._changed(blocks, -1, lambda h: h > 0)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders, dtype=torch.int64)
