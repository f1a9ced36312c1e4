"""What an engine (continuous_batching.py) serves: requests, and a model small enough for tests.

The model has one layer of attention and no training: what it says is nonsense, but hangs on
every token before it and on where each of them stands.
"""

from collections import Counter
from dataclasses import dataclass

import torch
from torch import Tensor

from kernels.paged_cache import OutOfBlocks, PrefixCache


class TooLong(ValueError):
    """A request needs more blocks than there are, even alone."""


@dataclass
class Request:
    """A text that is to be continued.

    tokens: its prompt, and after it what it has said. left: how many tokens it has yet to say.
    cached: how many of its tokens have their keys and values in the cache, the first ones.
    """

    number: int
    tokens: list[int]
    left: int
    cached: int = 0


def as_pairs(pairs: list[tuple[int, int]]) -> Tensor:
    """(len(pairs), 2) int64."""
    return torch.tensor(pairs, dtype=torch.int64).reshape(-1, 2)


@dataclass(frozen=True)
class ToyConfig:
    """vocabulary: tokens are 0 to vocabulary - 1. longest: tokens of the longest text."""

    vocabulary: int = 64
    longest: int = 512
    d: int = 8


class ToyModel:
    """One attention head with random weights, computed in float64 over a paged cache.

    config: its sizes. Keys and values hang on a token and its position alone, so that they are
    the same however a text is cut into chunks, and so is what the model says.
    """

    def __init__(self, config: ToyConfig | None = None):
        self.config = config = config or ToyConfig()
        seeded = torch.Generator().manual_seed(0)
        self.tokens = torch.randn(3, config.vocabulary, config.d, generator=seeded)  # q, k, v
        self.positions = torch.randn(3, config.longest, config.d, generator=seeded)
        self.head = 30 * torch.randn(config.d, config.vocabulary, generator=seeded).double()

    def new_cache(self, n_blocks: int, block_size: int) -> PrefixCache:
        """An empty cache for this model's keys and values."""
        return PrefixCache(n_blocks, block_size, n_heads=1, d=self.config.d)

    def step(self, cache: PrefixCache, sequences: list[int], tokens: list[list[int]]) -> Tensor:
        """Read more tokens of some sequences, each of which begins here if it is new.

        sequences: B different numbers. tokens: for each its next tokens, at least one; how many
        may differ. Returns logits (B, vocabulary) float64, after the last token of each.
        Raises OutOfBlocks if the cache has no room for all of them, and has changed nothing.
        """
        if not sequences or not all(tokens):
            raise ValueError("a step takes at least one sequence, and a token or more of each")
        if blocks_wanted(cache, sequences, tokens) > int((cache.counts() == 0).sum()):
            raise OutOfBlocks
        logits = []
        for sequence, new in zip(sequences, tokens, strict=True):
            if sequence not in cache.tables:
                cache.start(sequence, new[:1])  # of a single token nothing is shared
            begin = cache.lengths[sequence]
            there = torch.arange(begin, begin + len(new))
            q, k, v = self.tokens[:, new] + self.positions[:, there]
            cache.extend(sequence, list(new), k[None], v[None])
            keys, values = (x[0].double() for x in cache.gather(sequence))
            p = torch.softmax(keys @ q[-1].double() / self.config.d**0.5, dim=0)
            logits.append(torch.sin(p @ values @ self.head))  # fast waves: any change shows
        return torch.stack(logits)


def blocks_wanted(cache: PrefixCache, sequences: list[int], tokens: list[list[int]]) -> int:
    """How many blocks the sequences take to grow by so many tokens, copies included."""
    holders, wanted = Counter(dict(enumerate(cache.counts().tolist()))), 0
    for sequence, new in zip(sequences, tokens, strict=True):
        table, length = cache.tables.get(sequence, []), cache.lengths.get(sequence, 0)
        wanted += -(-(length + len(new)) // cache.block_size) - len(table)
        if length % cache.block_size > 0 and holders[table[-1]] > 1:
            wanted += 1
            holders[table[-1]] -= 1
    return wanted
