# a plan of moves made first (a dataclass), index arithmetic for block and slot of every token, advanced indexing
from dataclasses import dataclass, field

import torch
from torch import Tensor


@dataclass
class Plan:
    length: int
    table: list = field(default_factory=list)
    copy: bool = False
    more: int = 0


class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        shape = (n_blocks, n_heads, block_size, d)
        self.k, self.v = (torch.full(shape, torch.nan) for _ in range(2))
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def _plan(self, sequence, n) -> Plan:
        plan = Plan(self.lengths.get(sequence, 0), list(self.tables.get(sequence, ())))
        if plan.length % self.block_size:
            plan.copy = int(self.allocator.counts()[plan.table[-1]]) > 1
        plan.more = -(-(plan.length + n) // self.block_size) - len(plan.table)
        return plan

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        n = k.shape[1]
        plan = self._plan(sequence, n)
        taken = self.allocator.allocate(plan.copy + plan.more)
        if plan.copy:
            old, new = plan.table.pop(), taken[0]
            for pool in (self.k, self.v):
                pool[new] = pool[old]
            self.allocator.free([old])
        table = plan.table + taken
        token = torch.arange(plan.length, plan.length + n)
        block = torch.tensor(table)[token // self.block_size]
        slot = token % self.block_size
        self.k[block, :, slot] = k.transpose(0, 1)
        self.v[block, :, slot] = v.transpose(0, 1)
        self.tables[sequence], self.lengths[sequence] = table, plan.length + n

    def _must_have(self, sequence):
        if sequence not in self.tables:
            raise WrongSequence(sequence)

    def fork(self, parent: int, child: int) -> None:
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.tables[child] = self.tables[parent][:]
        self.allocator.share(self.tables[child])
        self.lengths[child] = self.lengths[parent]

    def free(self, sequence: int) -> None:
        self._must_have(sequence)
        del self.lengths[sequence]
        self.allocator.free(self.tables.pop(sequence))

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        self._must_have(sequence)
        n = self.lengths[sequence]
        whole = lambda pool: pool[self.tables[sequence]].transpose(0, 1).flatten(1, 2)[:, :n]
        return whole(self.k).clone(), whole(self.v).clone()

    def table(self, sequence: int) -> Tensor:
        self._must_have(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
