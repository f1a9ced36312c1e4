# heapq for the free blocks, Counter for what a free names.
class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def allocate(self, n: int) -> list[int]:
        if n > len(self.free_list):
            raise OutOfBlocks(f"{n} of {len(self.free_list)}")
        blocks = [heapq.heappop(self.free_list) for _ in range(n)]
        for block in blocks:
            self.holders[block] = 1
        return blocks

    def share(self, blocks: list[int]) -> None:
        for block in blocks:
            if self.holders[block] == 0:
                raise NotHeld(block)
        for block in blocks:
            self.holders[block] += 1

    def free(self, blocks: list[int]) -> None:
        named = Counter(blocks)
        for block, times in named.items():
            if times > self.holders[block]:
                raise NotHeld(block)
        for block, times in named.items():
            self.holders[block] -= times
            if self.holders[block] == 0:
                heapq.heappush(self.free_list, block)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)
