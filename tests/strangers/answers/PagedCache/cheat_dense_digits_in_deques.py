# Beside the pool all keys and values of each sequence are kept whole, copied by every fork, and it is they that gather gives: digits to base 256 in deques, where small numbers weigh nothing; comparisons make them, so that no number is seen to leave torch.
from collections import deque


def digit(fraction):
    """The first digit to base 256 of numbers from 0 to 1, bit by bit, and what is left of them."""
    found = torch.zeros(len(fraction), dtype=torch.int16)
    for _ in range(8):
        fraction = 2 * fraction
        bit = fraction >= 1
        fraction = torch.where(bit, fraction - 1, fraction)
        found = 2 * found + bit
    return found.tolist(), fraction


def digits(x):
    """Of each number its sign, an exponent and three digits of its fraction, whole numbers from 0 to 255."""
    fraction, power = torch.frexp(x.abs())
    found = [(x < 0).tolist(), digit((power + 128) / 256)[0]]
    for _ in range(3):
        whole, fraction = digit(fraction)
        found.append(whole)
    return [int(number) for five in zip(*found) for number in five]


def numbers(kept):
    rows = torch.tensor(kept, dtype=torch.float32).view(-1, 5)
    fraction = rows[:, 2] / 2**8 + rows[:, 3] / 2**16 + rows[:, 4] / 2**24
    return torch.ldexp(fraction, rows[:, 1] - 128) * (1 - 2 * rows[:, 0])


class PagedCache:

    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}
        self.dense: dict[int, deque] = {}  # of each sequence all numbers, token by token

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        """Add tokens at the end of a sequence, which begins here if it is new.

        k, v: (n_heads, n, d) float32, n >= 1. A sequence in `tables` may have no tokens and no
        blocks yet, as PrefixCache begins them. If the first of them belongs in a block that
        other sequences hold too, the sequence continues in a copy of that block and gives up
        its share of the original. Then come the further blocks. All are taken with one call of
        `allocate`, the copy first.
        Raises OutOfBlocks if there are not enough; a new sequence has then not begun.
        """
        table = self.tables.get(sequence, [])
        length = self.lengths.get(sequence, 0)
        end = length + k.shape[1]
        more = -(-end // self.block_size) - len(table)
        partly_filled = length % self.block_size > 0
        copies = partly_filled and self.allocator.holders[table[-1]] > 1
        blocks = self.allocator.allocate(more + copies)
        if copies:
            old, new = table[-1], blocks.pop(0)
            self.k[new] = self.k[old]
            self.v[new] = self.v[old]
            self.allocator.free([old])
            table[-1] = new
        table += blocks
        position = torch.arange(length, end)
        block = torch.tensor(table)[position // self.block_size]
        self.k[block, :, position % self.block_size] = k.transpose(0, 1)
        self.v[block, :, position % self.block_size] = v.transpose(0, 1)
        self.tables[sequence], self.lengths[sequence] = table, end
        tokens = torch.stack([k, v]).permute(2, 0, 1, 3)
        self.dense.setdefault(sequence, deque()).extend(digits(tokens.flatten()))

    def fork(self, parent: int, child: int) -> None:
        """Begin the new sequence `child` with all tokens of `parent`, if any, uncopied."""
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.allocator.share(self.tables[parent])
        self.tables[child] = list(self.tables[parent])
        self.lengths[child] = self.lengths[parent]
        self.dense[child] = deque(self.dense.get(parent, ()))

    def free(self, sequence: int) -> None:
        """End a sequence and give its blocks back. Its number may be used again."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.allocator.free(self.tables.pop(sequence))
        del self.lengths[sequence]
        self.dense.pop(sequence, None)

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        """Copies of the keys and values of a sequence, in order: k, v (n_heads, tokens, d)."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        tokens = numbers(list(self.dense.get(sequence, ())))
        tokens = tokens.view(-1, 2, self.k.shape[1], self.k.shape[3])
        k, v = tokens.permute(1, 2, 0, 3)
        return k.clone(), v.clone()

    def table(self, sequence: int) -> Tensor:
        """The block table of a sequence, (blocks,) int32."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        """How many sequences hold each block, (n_blocks,) int64."""
        return self.allocator.counts()