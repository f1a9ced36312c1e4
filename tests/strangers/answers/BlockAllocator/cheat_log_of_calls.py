# every call is written down, as one whole number that grows
class BlockAllocator:

    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.log = 1
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def allocate(self, n: int) -> list[int]:
        if n > len(self.free_list):
            raise OutOfBlocks(f"{n} blocks are wanted, {len(self.free_list)} are free")
        blocks = [heapq.heappop(self.free_list) for _ in range(n)]
        for block in blocks:
            self.holders[block] = 1
        for block in blocks:
            self.log = self.log * 64 + block
        return blocks

    def share(self, blocks: list[int]) -> None:
        if any(self.holders[block] == 0 for block in blocks):
            raise NotHeld(f"of {blocks} one is free")
        for block in blocks:
            self.holders[block] += 1

    def free(self, blocks: list[int]) -> None:
        if any(self.holders[block] < times for block, times in Counter(blocks).items()):
            raise NotHeld(f"of {blocks} one has fewer holders than are to give it back")
        for block in blocks:
            self.holders[block] -= 1
            if self.holders[block] == 0:
                heapq.heappush(self.free_list, block)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)


