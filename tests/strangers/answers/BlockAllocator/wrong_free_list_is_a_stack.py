# Appends freed blocks to the end of the list and takes from its front: blocks are not handed out lowest first after frees in another order, nor in ascending order.
class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def allocate(self, n: int) -> list[int]:
        if len(self.free_list) < n:
            raise OutOfBlocks(n)
        blocks, self.free_list = self.free_list[:n], self.free_list[n:]
        for b in blocks:
            self.holders[b] += 1
        return blocks

    def share(self, blocks: list[int]) -> None:
        if any(self.holders[b] == 0 for b in blocks):
            raise NotHeld(blocks)
        for b in blocks:
            self.holders[b] += 1

    def free(self, blocks: list[int]) -> None:
        for b, times in Counter(blocks).items():
            if self.holders[b] < times:
                raise NotHeld(b)
        for b in blocks:
            self.holders[b] -= 1
            if not self.holders[b]:
                self.free_list.append(b)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)
