# Broken: "What comes is written where it belongs; no pool is copied or written again". With each append the same number of tokens that stand before the new ones in the last block are written again with what they hold: at most as much as a block's slots, once more than what comes.
class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        table = self.tables.get(sequence, [])
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        size = self.block_size
        shared = length % size > 0 and self.allocator.holders[table[-1]] > 1
        blocks = self.allocator.allocate(shared - (-end // size) - len(table))
        table = list(table)
        if shared:
            old, new = table[-1], blocks.pop(0)
            filled = length % size
            self.k[new, :, :filled] = self.k[old, :, :filled]
            self.v[new, :, :filled] = self.v[old, :, :filled]
            self.allocator.free([old])
            table[-1] = new
        table += blocks
        at = length
        while at < end:
            upto = min(end, (at // size + 1) * size)
            block, slot = table[at // size], at % size
            self.k[block, :, slot : slot + upto - at] = k[:, at - length : upto - length]
            self.v[block, :, slot : slot + upto - at] = v[:, at - length : upto - length]
            at = upto
        for slot in range(max(0, length % size - k.shape[1]), length % size):
            block = table[length // size]
            self.k[block, :, slot] = self.k[block, :, slot].clone()
            self.v[block, :, slot] = self.v[block, :, slot].clone()
        self.tables[sequence], self.lengths[sequence] = table, end

    def fork(self, parent: int, child: int) -> None:
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.allocator.share(self.tables[parent])
        self.tables[child] = list(self.tables[parent])
        self.lengths[child] = self.lengths[parent]

    def free(self, sequence: int) -> None:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.allocator.free(self.tables.pop(sequence))
        del self.lengths[sequence]

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        table, n = torch.tensor(self.tables[sequence], dtype=torch.int64), self.lengths[sequence]
        k = self.k[table].transpose(0, 1).flatten(1, 2)[:, :n].clone()
        v = self.v[table].transpose(0, 1).flatten(1, 2)[:, :n].clone()
        return k, v

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
