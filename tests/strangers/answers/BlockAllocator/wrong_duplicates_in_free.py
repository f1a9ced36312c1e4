# free checks each name by itself and forgets that a block may be named more often than it is held: free([3, 3] ) of one holder makes the count -1 and hands block 3 out, or pushes it twice.
class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def allocate(self, n: int) -> list[int]:
        if n > len(self.free_list):
            raise OutOfBlocks(n)
        got = []
        while len(got) < n:
            got.append(heapq.heappop(self.free_list))
            self.holders[got[-1]] = 1
        return got

    def share(self, blocks: list[int]) -> None:
        if min((self.holders[b] for b in blocks), default=1) < 1:
            raise NotHeld(blocks)
        for b in blocks:
            self.holders[b] += 1

    def free(self, blocks: list[int]) -> None:
        if min((self.holders[b] for b in blocks), default=1) < 1:
            raise NotHeld(blocks)
        for b in blocks:
            self.holders[b] -= 1
            if self.holders[b] == 0:
                heapq.heappush(self.free_list, b)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)
