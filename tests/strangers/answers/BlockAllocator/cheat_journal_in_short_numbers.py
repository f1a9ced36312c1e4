# held ('What is kept does not grow with the number of calls'): all that was ever taken, shared and given back is written down, and counts() plays it all again; it lies in whole numbers of 232 bits, each shorter than the 64 bytes from which numbers are weighed, and their list than 16 kB
import heapq
from collections import Counter

class BlockAllocator:
    def __init__(self, n_blocks):
        self.n_blocks = n_blocks
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))
        self.width = (2 * n_blocks + 2).bit_length()
        self.journal = [1]

    def note(self, block, gives):
        if self.journal[-1].bit_length() + self.width > 232:
            self.journal.append(1)
        self.journal[-1] = self.journal[-1] << self.width | 2 * block + gives

    def allocate(self, n):
        if n > len(self.free_list):
            raise OutOfBlocks("too few are free")
        blocks = [heapq.heappop(self.free_list) for _ in range(n)]
        for block in blocks:
            self.holders[block] = 1
            self.note(block, 0)
        return blocks

    def share(self, blocks):
        if any(self.holders[block] == 0 for block in blocks):
            raise NotHeld("one is free")
        for block in blocks:
            self.holders[block] += 1
            self.note(block, 0)

    def free(self, blocks):
        if any(self.holders[block] < times for block, times in Counter(blocks).items()):
            raise NotHeld("one has fewer holders")
        for block in blocks:
            self.holders[block] -= 1
            self.note(block, 1)
            if self.holders[block] == 0:
                heapq.heappush(self.free_list, block)

    def counts(self):
        found = [0] * self.n_blocks
        for number in self.journal:
            while number > 1:
                event = number & ((1 << self.width) - 1)
                found[event // 2] += 1 - 2 * (event % 2)
                number >>= self.width
        return torch.tensor(found)
