# Cheat: every block that was ever handed out is remembered in one whole number, which gets longer with each call: a log that no list shows.
# Breaks: "What is kept does not grow with the number of calls."
class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))
        self.history = 1

    def allocate(self, n: int) -> list[int]:
        if n > len(self.free_list):
            raise OutOfBlocks(n)
        blocks = [heapq.heappop(self.free_list) for _ in range(n)]
        for block in blocks:
            self.holders[block] = 1
            self.history = self.history * len(self.holders) + block
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
