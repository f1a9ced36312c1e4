# right: the free blocks as a sorted list (bisect), new holders worked out in a Counter first
from bisect import insort


class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # in ascending order

    def allocate(self, n: int) -> list[int]:
        taken, rest = self.free_list[:n], self.free_list[n:]
        if len(taken) != n:
            raise OutOfBlocks(f"{n} wanted, {len(taken)} free")
        self.free_list = rest
        for number in taken:
            self.holders[number] = 1
        return taken

    def share(self, blocks: list[int]) -> None:
        if not all(map(self.holders.__getitem__, blocks)):
            raise NotHeld(blocks)
        for number, times in Counter(blocks).items():
            self.holders[number] += times

    def free(self, blocks: list[int]) -> None:
        left = {number: self.holders[number] - times for number, times in Counter(blocks).items()}
        if min(left.values(), default=0) < 0:
            raise NotHeld(blocks)
        for number, holders in left.items():
            self.holders[number] = holders
            if holders == 0:
                insort(self.free_list, number)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)
