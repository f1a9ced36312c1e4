# heapq, and a snapshot of nothing: everything is validated before anything moves
class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def allocate(self, n: int) -> list[int]:
        match len(self.free_list) - n:
            case short if short < 0:
                raise OutOfBlocks(f"{-short} blocks too few")
        blocks = [heapq.heappop(self.free_list) for _ in range(n)]
        self._add(Counter(blocks), +1)
        return blocks

    def _add(self, named: Counter, sign: int) -> None:
        for block, times in named.items():
            self.holders[block] += sign * times

    def share(self, blocks: list[int]) -> None:
        if 0 in (self.holders[block] for block in blocks):
            raise NotHeld(f"one of {blocks} is free")
        self._add(Counter(blocks), +1)

    def free(self, blocks: list[int]) -> None:
        named = Counter(blocks)
        if any(self.holders[block] < times for block, times in named.items()):
            raise NotHeld(f"{blocks} has more names than holders")
        self._add(named, -1)
        for block in named:
            if not self.holders[block]:
                heapq.heappush(self.free_list, block)

    def counts(self) -> Tensor:
        """How many hold each block, (n_blocks,) int64; 0 is free."""
        return torch.tensor(self.holders)
