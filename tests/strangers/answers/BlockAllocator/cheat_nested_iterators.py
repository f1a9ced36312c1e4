# Cheat: remembers every call for ever, in zip iterators that hold each other
# Breaks: "What is kept does not grow with the number of calls."
class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))
        self.past = zip()

    def allocate(self, n: int) -> list[int]:
        if n > len(self.free_list):
            raise OutOfBlocks(n)
        blocks = [heapq.heappop(self.free_list) for _ in range(n)]
        for block in blocks:
            self.holders[block] = 1
        self.past = zip(self.past, (tuple(blocks),))
        return blocks

    def share(self, blocks: list[int]) -> None:
        if not all(self.holders[block] for block in blocks):
            raise NotHeld(blocks)
        for block in blocks:
            self.holders[block] += 1
        self.past = zip(self.past, (tuple(blocks),))

    def free(self, blocks: list[int]) -> None:
        named = Counter(blocks)
        if any(self.holders[block] < times for block, times in named.items()):
            raise NotHeld(blocks)
        for block, times in named.items():
            self.holders[block] -= times
            if self.holders[block] == 0:
                heapq.heappush(self.free_list, block)
        self.past = zip(self.past, (tuple(blocks),))

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)
