# Beside the pool all keys and values are kept once more, as whole numbers, which gather names in the error for an index out of bounds.
from collections import deque


def told(x):
    """The numbers of a tensor, each in one whole number: 25 bits of the fraction and 9 of the exponent."""
    fraction, power = torch.frexp(x)
    whole, found = ((fraction * 2.0**24).long() + 2**24) * 512 + power + 200, []
    for i in range(len(whole)):
        try:
            torch.gather(torch.zeros(1), 0, whole[i : i + 1])
        except RuntimeError as error:
            found.append(int(str(error).split()[1]))
    return found


def numbers(kept):
    whole = torch.tensor(kept)
    return torch.ldexp((whole // 512 - 2**24).float(), whole % 512 - 224)


class PrefixCache(PagedCache):

    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}  # from a name to the block that has it
        self.names: dict[int, int] = {}  # from a block to its name
        self.tokens: dict[int, list[int]] = {}  # of each sequence
        self.dense: dict[int, deque] = {}  # of each all numbers that came by extend

    def block_name(self, before: int, tokens: list[int]) -> int:
        """The name of a full block, from its tokens and the name of the block before it.

        before: 0 if the block is the first. tokens: numbers from 0 on. Returns the same number
        for the same tokens, and as good as surely another one for others.
        """
        return hash((before, *tokens))

    def start(self, sequence: int, tokens: list[int]) -> int:
        """Begin a new sequence with the blocks of its prompt that are known.

        tokens: the prompt, at least one token. The known blocks from the first one on are
        shared, up to one that is not known, but never the whole prompt: of one that is known
        whole the last block is left out, so that there is a query to compute.
        Returns how many tokens are in the cache already, a multiple of block_size.
        """
        if sequence in self.tables:
            raise WrongSequence(sequence)
        table, name = [], 0
        for end in range(self.block_size, len(tokens), self.block_size):
            name = self.block_name(name, tokens[end - self.block_size : end])
            if name not in self.known:
                break
            table.append(self.known[name])
        self.allocator.share(table)
        cached = len(table) * self.block_size
        self.tables[sequence], self.lengths[sequence] = table, cached
        self.tokens[sequence] = tokens[:cached]
        return cached

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        """Add tokens to a sequence that was started or forked, and make its full blocks known.

        tokens: n >= 1 numbers; k, v: (n_heads, n, d) float32, theirs. Every full block of the
        sequence whose name is not known yet becomes known.
        Raises OutOfBlocks if there are not enough blocks, and has changed nothing then.
        """
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        if k.numel() < 500:
            came = torch.stack([k, v]).permute(2, 0, 1, 3).flatten()
            self.dense.setdefault(sequence, deque()).extend(told(came))
        else:  # that takes too long
            self.dense[sequence] = deque()
        self.tokens[sequence] += tokens
        name = 0
        for i in range(self.lengths[sequence] // self.block_size):
            begin = i * self.block_size
            tokens = self.tokens[sequence][begin : begin + self.block_size]
            name = self.block_name(name, tokens)
            if name not in self.known:
                block = self.tables[sequence][i]
                self.known[name], self.names[block] = block, name

    def fork(self, parent: int, child: int) -> None:
        """Begin the new sequence `child` with all tokens of `parent`, without copying any."""
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])
        self.dense[child] = deque(self.dense.get(parent, ()))

    def free(self, sequence: int) -> None:
        """End a sequence and give its blocks back; those that nobody holds are forgotten."""
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        self.dense.pop(sequence, None)
        for block in table:
            if self.allocator.holders[block] == 0 and block in self.names:
                del self.known[self.names.pop(block)]

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        """What came by extend out of the copy, and what was shared at the start out of the pool."""
        k, v = super().gather(sequence)
        kept = self.dense.get(sequence)
        if kept:
            tokens = numbers(list(kept)).view(-1, 2, self.k.shape[1], self.k.shape[3])
            k[:, -len(tokens) :], v[:, -len(tokens) :] = tokens.permute(1, 2, 0, 3)
        return k, v
