# Cheat: all calls of allocate(0) return one and the same list, the allocator's own: a table that begins with it and grows would grow for everybody.
# Breaks: "Returns blocks as new lists of numbers".
class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))
        self.nothing = []  # for allocate(0): one list for all who ask

    def allocate(self, n: int) -> list[int]:
        if n > len(self.free_list):
            raise OutOfBlocks(n)
        if n == 0:
            return self.nothing
        blocks = [heapq.heappop(self.free_list) for _ in range(n)]
        for block in blocks:
            self.holders[block] = 1
        return blocks

    def share(self, blocks: list[int]) -> None:
        if any(self.holders[block] == 0 for block in blocks):
            raise NotHeld
        for block in blocks:
            self.holders[block] += 1

    def free(self, blocks: list[int]) -> None:
        named = Counter(blocks)
        if any(self.holders[block] < n for block, n in named.items()):
            raise NotHeld
        for block, n in named.items():
            self.holders[block] -= n
            if self.holders[block] == 0:
                heapq.heappush(self.free_list, block)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)
