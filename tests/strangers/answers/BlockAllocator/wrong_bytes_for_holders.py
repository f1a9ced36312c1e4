# holders are counted in 8 bits: from 256 on they wrap
class BlockAllocator:
    def __init__(self, n_blocks):
        self.holders = bytearray(n_blocks)

    def allocate(self, n):
        free = [b for b, c in enumerate(self.holders) if not c][:n]
        if len(free) < n:
            raise OutOfBlocks(n)
        for b in free:
            self.holders[b] = 1
        return free

    def share(self, blocks):
        if any(not self.holders[b] for b in blocks):
            raise NotHeld(blocks)
        for b in blocks:
            self.holders[b] = min(255, self.holders[b] + 1)

    def free(self, blocks):
        if any(blocks.count(b) > self.holders[b] for b in blocks):
            raise NotHeld(blocks)
        for b in blocks:
            self.holders[b] -= 1

    def counts(self):
        return torch.tensor(list(self.holders))
