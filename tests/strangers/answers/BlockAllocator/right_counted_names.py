# Right: counts how often each block is named, checks all of them, then changes; free numbers in a heap.
class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def allocate(self, n: int) -> list[int]:
        if len(self.free_list) < n:
            raise OutOfBlocks(f"{n} asked for, {len(self.free_list)} free")
        taken = []
        for _ in range(n):
            block = heapq.heappop(self.free_list)
            self.holders[block] = 1
            taken.append(block)
        return taken

    def _need(self, named: Counter, at_least) -> None:
        for block, times in named.items():
            inside = 0 <= block < len(self.holders)
            if not inside or self.holders[block] < at_least(times):
                raise NotHeld(block)

    def share(self, blocks: list[int]) -> None:
        named = Counter(blocks)
        self._need(named, lambda times: 1)
        for block, times in named.items():
            self.holders[block] += times

    def free(self, blocks: list[int]) -> None:
        named = Counter(blocks)
        self._need(named, lambda times: times)
        for block, times in named.items():
            self.holders[block] -= times
            if self.holders[block] == 0:
                heapq.heappush(self.free_list, block)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)
