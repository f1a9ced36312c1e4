# Wrong: share counts up block by block and raises NotHeld at the first free one, so the blocks before it have one holder too many after the failed call (e.g. share([0, 5]) with 5 free); successful calls are right.
class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def allocate(self, n: int) -> list[int]:
        if n > len(self.free_list):
            raise OutOfBlocks
        blocks = [heapq.heappop(self.free_list) for _ in range(n)]
        for b in blocks:
            self.holders[b] += 1
        return blocks

    def share(self, blocks: list[int]) -> None:
        for b in blocks:
            if not self.holders[b]:
                raise NotHeld(b)
            self.holders[b] += 1

    def free(self, blocks: list[int]) -> None:
        left = list(self.holders)
        for b in blocks:
            left[b] -= 1
            if left[b] < 0:
                raise NotHeld(b)
        self.holders = left
        for b in set(blocks):
            if left[b] == 0:
                heapq.heappush(self.free_list, b)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)
