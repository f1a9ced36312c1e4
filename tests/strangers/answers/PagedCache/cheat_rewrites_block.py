# Rewrites the started block each time (reads its tokens, writes them again). Breaks "What comes is written where it belongs; no pool is copied or written again".
import torch


class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def append(self, sequence, k, v):
        table = list(self.tables.get(sequence, []))
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        bs = self.block_size
        shared = length % bs != 0 and self.allocator.holders[table[-1]] > 1
        more = -(-end // bs) - len(table)
        new = self.allocator.allocate(more + shared)
        if shared:
            old, table[-1] = table[-1], new[0]
            self.k[new[0], :, : length % bs] = self.k[old, :, : length % bs]
            self.v[new[0], :, : length % bs] = self.v[old, :, : length % bs]
            self.allocator.free([old])
            new = new[1:]
        table += new
        if length % bs:
            b, s = table[length // bs], length % bs
            self.k[b, :, :s] = self.k[b, :, :s].clone()
            self.v[b, :, :s] = self.v[b, :, :s].clone()
        at = 0
        while at < end - length:
            slot = (length + at) % bs
            n = min(bs - slot, end - length - at)
            b = table[(length + at) // bs]
            self.k[b, :, slot : slot + n] = k[:, at : at + n]
            self.v[b, :, slot : slot + n] = v[:, at : at + n]
            at += n
        self.tables[sequence], self.lengths[sequence] = table, end

    def fork(self, parent, child):
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.allocator.share(self.tables[parent])
        self.tables[child] = list(self.tables[parent])
        self.lengths[child] = self.lengths[parent]

    def free(self, sequence):
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.allocator.free(self.tables.pop(sequence))
        del self.lengths[sequence]

    def gather(self, sequence):
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        table, n = self.tables[sequence], self.lengths[sequence]
        return (
            self.k[table].transpose(0, 1).flatten(1, 2)[:, :n].clone(),
            self.v[table].transpose(0, 1).flatten(1, 2)[:, :n].clone(),
        )

    def table(self, sequence):
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self):
        return self.allocator.counts()

