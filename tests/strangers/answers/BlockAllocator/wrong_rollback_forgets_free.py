# free() works block by block and on an error gives the counts back but leaves blocks on the free list that it has pushed, so a failed call can hand out a held block later.
class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def allocate(self, n: int) -> list[int]:
        if n > len(self.free_list):
            raise OutOfBlocks
        taken = heapq.nsmallest(n, self.free_list)
        for block in taken:
            self.free_list.remove(block)
            self.holders[block] = 1
        heapq.heapify(self.free_list)
        return taken

    def share(self, blocks: list[int]) -> None:
        for block in blocks:
            if self.holders[block] < 1:
                raise NotHeld(block)
        for block in blocks:
            self.holders[block] += 1

    def free(self, blocks: list[int]) -> None:
        before = list(self.holders)
        try:
            for block in blocks:
                if self.holders[block] == 0:
                    raise NotHeld(block)
                self.holders[block] -= 1
                if self.holders[block] == 0:
                    heapq.heappush(self.free_list, block)
        except NotHeld:
            self.holders = before
            raise

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)
