# Wrong: free only asks whether each named block is held at all; a block named twice but held once goes to -1 (and does not raise NotHeld), never comes back to the free list in order or is handed out wrongly; right for lists without repetition.
class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def allocate(self, n: int) -> list[int]:
        if len(self.free_list) < n:
            raise OutOfBlocks
        blocks = [heapq.heappop(self.free_list) for _ in range(n)]
        for block in blocks:
            self.holders[block] += 1
        return blocks

    def share(self, blocks: list[int]) -> None:
        for block in blocks:
            if self.holders[block] < 1:
                raise NotHeld(block)
        for block in blocks:
            self.holders[block] += 1

    def free(self, blocks: list[int]) -> None:
        if not all(self.holders[block] > 0 for block in blocks):
            raise NotHeld
        for block in blocks:
            self.holders[block] -= 1
            if self.holders[block] == 0:
                heapq.heappush(self.free_list, block)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)
