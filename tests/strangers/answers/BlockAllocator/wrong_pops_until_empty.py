# Takes blocks one by one and raises when the heap is empty: those already taken are lost for ever.
class BlockAllocator:
    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def allocate(self, n: int) -> list[int]:
        out = []
        for _ in range(n):
            try:
                block = heapq.heappop(self.free_list)
            except IndexError:
                raise OutOfBlocks() from None
            self.holders[block] = 1
            out.append(block)
        return out

    def share(self, blocks: list[int]) -> None:
        if not all(self.holders[block] for block in blocks):
            raise NotHeld
        for block in blocks:
            self.holders[block] += 1

    def free(self, blocks: list[int]) -> None:
        need = Counter(blocks)
        if any(self.holders[block] < c for block, c in need.items()):
            raise NotHeld
        for block in blocks:
            self.holders[block] -= 1
            if self.holders[block] == 0:
                heapq.heappush(self.free_list, block)

    def counts(self) -> Tensor:
        return torch.tensor(self.holders)
