# share and free check block by block while they change: a list whose later block is free leaves the earlier ones changed.
class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def allocate(self, n: int) -> list[int]:
        if n > len(self.free_list):
            raise OutOfBlocks
        taken = heapq.nsmallest(n, self.free_list)
        self.free_list = self.free_list if n == 0 else sorted(set(self.free_list) - set(taken))
        for t in taken:
            self.holders[t] = 1
        return taken

    def share(self, blocks: list[int]) -> None:
        for b in blocks:
            if self.holders[b] <= 0:
                raise NotHeld(b)
            self.holders[b] += 1

    def free(self, blocks: list[int]) -> None:
        for b in blocks:
            if self.holders[b] <= 0:
                raise NotHeld(b)
            self.holders[b] -= 1
            if self.holders[b] == 0:
                heapq.heappush(self.free_list, b)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)
