# style: try/finally-free, setdefault, zip over pools in a property
import torch
from torch import Tensor


class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    @property
    def pools(self) -> tuple[Tensor, Tensor]:
        return self.k, self.v

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        size = self.block_size
        table = self.tables.get(sequence, [])[:]
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        shared = bool(length % size) and self.allocator.holders[table[-1]] > 1
        blocks = self.allocator.allocate(-(-end // size) - len(table) + int(shared))
        if shared:
            original, copy = table.pop(), blocks[0]
            for pool in self.pools:
                pool[copy] = pool[original]
            self.allocator.free([original])
        table.extend(blocks)
        where = torch.arange(length, end)
        block, slot = torch.tensor(table)[where // size], where % size
        for pool, new in zip(self.pools, (k, v)):
            pool[block, :, slot] = new.transpose(0, 1)
        self.tables[sequence], self.lengths[sequence] = table, end

    def fork(self, parent: int, child: int) -> None:
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        table = self.tables[parent]
        self.allocator.share(table)
        self.tables |= {child: [*table]}
        self.lengths |= {child: self.lengths[parent]}

    def free(self, sequence: int) -> None:
        try:
            table = self.tables.pop(sequence)
        except KeyError:
            raise WrongSequence(sequence) from None
        del self.lengths[sequence]
        self.allocator.free(table)

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        where = torch.arange(self.lengths[sequence])
        block = torch.tensor(self.tables[sequence], dtype=torch.int64)[where // self.block_size]
        k, v = (pool[block, :, where % self.block_size].transpose(0, 1) for pool in self.pools)
        return k, v

    def table(self, sequence: int) -> Tensor:
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
