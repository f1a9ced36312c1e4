# Keeps the free list in descending order and slices off [-n:], which for n = 0 is the whole list: allocate(0) takes every free block.
class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))[::-1]  # the smallest number is the last

    def allocate(self, n: int) -> list[int]:
        if n > len(self.free_list):
            raise OutOfBlocks
        blocks = self.free_list[-n:][::-1]
        del self.free_list[-n:]
        for b in blocks:
            self.holders[b] += 1
        return blocks

    def share(self, blocks: list[int]) -> None:
        if 0 in [self.holders[b] for b in blocks]:
            raise NotHeld
        for b in blocks:
            self.holders[b] += 1

    def free(self, blocks: list[int]) -> None:
        count = Counter(blocks)
        count.subtract({b: self.holders[b] for b in count})
        if any(v > 0 for v in count.values()):
            raise NotHeld
        for b in blocks:
            self.holders[b] -= 1
        self.free_list += [b for b in set(blocks) if not self.holders[b]]
        self.free_list.sort(reverse=True)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)
