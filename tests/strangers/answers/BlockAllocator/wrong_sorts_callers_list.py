# free() sorts the caller's list in place to find runs of equal numbers, so an argument in another order is changed (a block table, for instance).
class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def allocate(self, n: int) -> list[int]:
        if len(self.free_list) < n:
            raise OutOfBlocks
        self.free_list.sort()
        result, self.free_list = self.free_list[:n], self.free_list[n:]
        for b in result:
            self.holders[b] += 1
        return result

    def share(self, blocks: list[int]) -> None:
        if any(self.holders[b] == 0 for b in blocks):
            raise NotHeld(blocks)
        for b in blocks:
            self.holders[b] += 1

    def free(self, blocks: list[int]) -> None:
        import itertools

        blocks.sort()
        runs = [(b, len(list(run))) for b, run in itertools.groupby(blocks)]
        for b, times in runs:
            if times > self.holders[b]:
                raise NotHeld(b)
        for b, times in runs:
            self.holders[b] -= times
            if self.holders[b] == 0:
                self.free_list.append(b)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)
