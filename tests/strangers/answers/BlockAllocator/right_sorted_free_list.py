# Right: the free list is kept sorted (a sorted list is a heap), calls are checked on a Counter before anything changes.
class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def allocate(self, n: int) -> list[int]:
        if n > len(self.free_list):
            raise OutOfBlocks(f"{n} wanted, {len(self.free_list)} free")
        taken, self.free_list = self.free_list[:n], self.free_list[n:]
        for block in taken:
            self.holders[block] = 1
        return taken

    def share(self, blocks: list[int]) -> None:
        if any(self.holders[block] == 0 for block in blocks):
            raise NotHeld(blocks)
        for block in blocks:
            self.holders[block] += 1

    def free(self, blocks: list[int]) -> None:
        named = Counter(blocks)
        for block, times in named.items():
            if times > self.holders[block]:
                raise NotHeld(block)
        given_back = []
        for block, times in named.items():
            self.holders[block] -= times
            if not self.holders[block]:
                given_back.append(block)
        self.free_list = sorted(self.free_list + given_back)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders, dtype=torch.int64)
