# A helper object for each sequence; tables and lengths are dictionaries made from them when somebody asks.
class Sequence:
    def __init__(self, blocks: list[int], length: int):
        self.blocks, self.length = blocks, length


class PagedCache:
    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.sequences: dict[int, Sequence] = {}

    @property
    def tables(self) -> dict[int, list[int]]:
        return {name: s.blocks for name, s in self.sequences.items()}

    @property
    def lengths(self) -> dict[int, int]:
        return {name: s.length for name, s in self.sequences.items()}

    def the(self, sequence: int) -> Sequence:
        if sequence not in self.sequences:
            raise WrongSequence(sequence)
        return self.sequences[sequence]

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        s = self.sequences.get(sequence) or Sequence([], 0)
        size, n = self.block_size, k.shape[1]
        end = s.length + n
        slot = s.length % size
        copied = slot > 0 and self.allocator.holders[s.blocks[-1]] > 1
        new = self.allocator.allocate(-(-end // size) - len(s.blocks) + copied)
        if copied:
            old, fresh = s.blocks[-1], new[0]
            self.k[fresh, :, :slot] = self.k[old, :, :slot]
            self.v[fresh, :, :slot] = self.v[old, :, :slot]
            self.allocator.free([old])
            s.blocks = s.blocks[:-1]
        s.blocks = s.blocks + new
        for i in range(n):
            block, at = s.blocks[(s.length + i) // size], (s.length + i) % size
            self.k[block, :, at], self.v[block, :, at] = k[:, i], v[:, i]
        s.length = end
        self.sequences[sequence] = s

    def fork(self, parent: int, child: int) -> None:
        s = self.the(parent)
        if child in self.sequences:
            raise WrongSequence(child)
        self.allocator.share(s.blocks)
        self.sequences[child] = Sequence(list(s.blocks), s.length)

    def free(self, sequence: int) -> None:
        self.allocator.free(self.the(sequence).blocks)
        del self.sequences[sequence]

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        s = self.the(sequence)
        heads, d = self.k.shape[1], self.k.shape[3]
        out = []
        for pool in (self.k, self.v):
            rows = pool[torch.tensor(s.blocks, dtype=torch.long)].transpose(0, 1)
            out.append(rows.reshape(heads, -1, d)[:, : s.length].clone())
        return out[0], out[1]

    def table(self, sequence: int) -> Tensor:
        return torch.tensor(self.the(sequence).blocks, dtype=torch.int32)

    def counts(self) -> Tensor:
        return self.allocator.counts()
