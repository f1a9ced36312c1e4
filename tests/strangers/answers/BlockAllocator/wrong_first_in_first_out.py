# Wrong: a free list as in vLLM's deque: freed blocks go to its end and the front is handed out (sorted within one call), so the lowest free numbers are not what comes after blocks were freed and others never used; first allocations are right.
class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def allocate(self, n: int) -> list[int]:
        if n > len(self.free_list):
            raise OutOfBlocks(n)
        blocks = sorted(self.free_list[:n])
        del self.free_list[:n]
        for b in blocks:
            self.holders[b] = 1
        return blocks

    def share(self, blocks: list[int]) -> None:
        if min((self.holders[b] for b in blocks), default=1) == 0:
            raise NotHeld("a free block cannot be shared")
        for b in blocks:
            self.holders[b] += 1

    def free(self, blocks: list[int]) -> None:
        left = list(self.holders)
        for b in blocks:
            left[b] -= 1
            if left[b] < 0:
                raise NotHeld(b)
        self.free_list.extend(b for b in dict.fromkeys(blocks) if left[b] == 0)
        self.holders = left

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)
