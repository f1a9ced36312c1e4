# Wrong: free checks only that every block has a holder, not as many as it is named, so free([3, 3]) with one holder does not raise NotHeld, leaves -1 holders; lists without repeats are right.
class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def allocate(self, n: int) -> list[int]:
        if len(self.free_list) - n < 0:
            raise OutOfBlocks(n)
        result = heapq.nsmallest(n, self.free_list)
        for block in result:
            heapq.heappop(self.free_list)
            self.holders[block] = 1
        return result

    def share(self, blocks: list[int]) -> None:
        if any(self.holders[block] == 0 for block in blocks):
            raise NotHeld(blocks)
        for block in blocks:
            self.holders[block] += 1

    def free(self, blocks: list[int]) -> None:
        if any(self.holders[block] == 0 for block in blocks):
            raise NotHeld(blocks)
        for block in blocks:
            self.holders[block] -= 1
            if self.holders[block] == 0:
                heapq.heappush(self.free_list, block)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)
