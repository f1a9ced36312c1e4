# Free checks each block just before it counts down, so a call that raises has changed some already.
import heapq

import torch


class OutOfBlocks(RuntimeError):
    pass


class NotHeld(RuntimeError):
    pass


class BlockAllocator:
    def __init__(self, n_blocks):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))

    def allocate(self, n):
        if n > len(self.free_list):
            raise OutOfBlocks(n)
        taken = [heapq.heappop(self.free_list) for _ in range(n)]
        for block in taken:
            self.holders[block] = 1
        return taken

    def share(self, blocks):
        if any(self.holders[block] == 0 for block in blocks):
            raise NotHeld(blocks)
        for block in blocks:
            self.holders[block] += 1

    def free(self, blocks):
        for block in blocks:
            if self.holders[block] == 0:
                raise NotHeld(block)
            self.holders[block] -= 1
            if self.holders[block] == 0:
                heapq.heappush(self.free_list, block)

    def counts(self):
        return torch.tensor(self.holders)
