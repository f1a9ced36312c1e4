# Broken: "What is kept does not grow with the number of calls." share pushes a block's number into the heap of free blocks each time it is called, and they are skipped when they come up: the heap grows with the calls while `holders` and `counts` look right.
class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))

    def allocate(self, n: int) -> list[int]:
        if n > self.holders.count(0):
            raise OutOfBlocks
        blocks = []
        while len(blocks) < n:
            block = heapq.heappop(self.free_list)
            if self.holders[block] == 0:
                self.holders[block] = 1
                blocks.append(block)
        return blocks

    def share(self, blocks: list[int]) -> None:
        if any(self.holders[block] == 0 for block in blocks):
            raise NotHeld
        for block in blocks:
            self.holders[block] += 1
            heapq.heappush(self.free_list, block)

    def free(self, blocks: list[int]) -> None:
        for block, times in Counter(blocks).items():
            if self.holders[block] < times:
                raise NotHeld
        for block in blocks:
            self.holders[block] -= 1
            heapq.heappush(self.free_list, block)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)
