# Turns the argument of share and free into a set: a block named twice counts once.
class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def allocate(self, n: int) -> list[int]:
        if len(self.free_list) < n:
            raise OutOfBlocks
        blocks = sorted(heapq.heappop(self.free_list) for _ in range(n))
        for block in blocks:
            self.holders[block] = 1
        return blocks

    def _held(self, blocks):
        unique = set(blocks)
        if any(self.holders[b] == 0 for b in unique):
            raise NotHeld(unique)
        return unique

    def share(self, blocks: list[int]) -> None:
        for b in self._held(blocks):
            self.holders[b] += 1

    def free(self, blocks: list[int]) -> None:
        for b in self._held(blocks):
            self.holders[b] -= 1
            if self.holders[b] == 0:
                heapq.heappush(self.free_list, b)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)
