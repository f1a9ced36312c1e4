"""A language model of Llama's shape with random weights, over paged caches on a GPU: what `bench.serving` serves.

It has the interface of the course's models, `new_cache` and `step`, and the course's paged kernels for its attention.
A step's launches are recorded once for each of a few sizes, and replayed as a CUDA graph: at a few tokens they would
take longer to be launched one by one than to run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from autograder.spec import interpreter

interpreter.choose()

from kernels.continuous_batching import ragged_attention  # noqa: E402
from kernels.paged_attention import paged_decode  # noqa: E402
from kernels.paged_cache import BlockAllocator  # noqa: E402


@dataclass(frozen=True)
class Shape:
    """Of Llama 3.2 1B, but for the names of its tokens. longest: tokens of the longest text; sequences: at a time."""

    layers: int = 16
    width: int = 2048
    heads: int = 32
    kv_heads: int = 8
    d: int = 64
    inner: int = 8192
    vocabulary: int = 128_256
    longest: int = 2048
    sequences: int = 256
    budget: int = 512

    @property
    def weights(self) -> int:
        """Numbers in the matrices that every token meets, the last one, for the logits, included."""
        layer = self.width * self.d * (2 * self.heads + 2 * self.kv_heads) + 3 * self.width * self.inner
        return self.layers * layer + self.width * self.vocabulary

    @property
    def per_token(self) -> int:
        """Numbers in the cache for a token."""
        return self.layers * 2 * self.kv_heads * self.d

    @property
    def per_pair(self) -> int:
        """Operations for a query and a key."""
        return self.layers * self.heads * 4 * self.d


TINY = Shape(layers=2, width=64, heads=4, kv_heads=2, d=16, inner=96, vocabulary=50, longest=64, sequences=4, budget=16)


class Largest(int):
    """Where a row of logits is largest. The row itself stays on the GPU."""

    def argmax(self) -> int:
        return int(self)


class GpuCache:
    """A paged cache for all layers: one allocator and one table, and pools of keys and values for each layer.

    The last block belongs to nobody: what pads a step out to a recorded size is written there.
    """

    def __init__(self, shape: Shape, n_blocks: int, block_size: int, dtype: torch.dtype, device: str):
        self.allocator, self.block_size, self.spare = BlockAllocator(n_blocks), block_size, n_blocks
        pool = (shape.layers, n_blocks + 1, shape.kv_heads, block_size, shape.d)
        self.k = torch.zeros(pool, dtype=dtype, device=device)
        self.v = torch.zeros(pool, dtype=dtype, device=device)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}
        self.rows: dict[int, int] = {}  # of each sequence in `table`
        self.unused = list(range(shape.sequences))
        self.table = np.full((shape.sequences, ceil(shape.longest / block_size)), -1, np.int32)

    def extend(self, sequences: Sequence[int], more: Sequence[int]) -> None:
        """Take the blocks for so many more tokens. Raises OutOfBlocks, and then has changed nothing."""
        ends = [self.lengths.get(sequence, 0) + n for sequence, n in zip(sequences, more, strict=True)]
        held = [len(self.tables.get(sequence, ())) for sequence in sequences]
        wanted = [-(-end // self.block_size) - n for end, n in zip(ends, held, strict=True)]
        blocks = self.allocator.allocate(sum(wanted))
        for sequence, end, first, n in zip(sequences, ends, held, wanted, strict=True):
            if sequence not in self.rows:
                self.rows[sequence], self.tables[sequence] = self.unused.pop(), []
            if n:
                new, blocks = blocks[:n], blocks[n:]
                self.tables[sequence] += new
                self.table[self.rows[sequence], first : first + n] = new
            self.lengths[sequence] = end

    def free(self, sequence: int) -> None:
        self.allocator.free(self.tables.pop(sequence))
        del self.lengths[sequence]
        self.unused.append(self.rows.pop(sequence))

    def counts(self) -> Tensor:
        return self.allocator.counts()


@dataclass(frozen=True)
class Size:
    """Of a recorded step: tokens, sequences, and whether each of them has one."""

    tokens: int
    sequences: int
    decodes: bool


class Llama:
    """`step` as the course's models have it; the logits' largest come back, and not the logits."""

    def __init__(self, shape: Shape, device: str, dtype: torch.dtype, seed: int = 0):
        self.shape, self.device, self.dtype = shape, device, dtype
        generator = torch.Generator(device).manual_seed(seed)

        def random(*size: int) -> Tensor:
            spread = size[-2] ** -0.5
            return torch.randn(size, generator=generator, device=device).mul_(spread).to(dtype)

        rows = (shape.heads + 2 * shape.kv_heads) * shape.d
        self.embedding = random(shape.vocabulary, shape.width) * shape.vocabulary**0.5
        self.qkv = random(shape.layers, shape.width, rows)
        self.out = random(shape.layers, shape.heads * shape.d, shape.width)
        self.gate_up = random(shape.layers, shape.width, 2 * shape.inner)
        self.down = random(shape.layers, shape.inner, shape.width)
        self.head = random(shape.width, shape.vocabulary)
        angle = torch.arange(shape.longest)[:, None] * 500_000.0 ** -(torch.arange(0, shape.d, 2) / shape.d)
        self.cos, self.sin = (wave.to(device, dtype)[:, None] for wave in (angle.cos(), angle.sin()))
        self.graphs: dict[Size, tuple[torch.cuda.CUDAGraph, Tensor, Tensor]] = {}
        self.cache: GpuCache | None = None

    def new_cache(self, n_blocks: int, block_size: int) -> GpuCache:
        """The cache that this model serves from now on; steps are recorded for one."""
        self.graphs.clear()
        self.cache = GpuCache(self.shape, n_blocks, block_size, self.dtype, self.device)
        if self.device == "cuda":
            for size in self.sizes():
                self.record(size)
        return self.cache

    def sizes(self) -> Iterator[Size]:
        """Powers of two, up to what fits: steps in which everybody decodes, and steps with chunks of prompts."""
        n = 8
        while n < 2 * self.shape.sequences:
            yield Size(min(n, self.shape.sequences), min(n, self.shape.sequences), True)
            n *= 2
        n = 16
        while n < 2 * self.shape.budget:
            yield Size(min(n, self.shape.budget), min(n, self.shape.sequences), False)
            n *= 2

    def step(self, cache: GpuCache, sequences: list[int], tokens: list[list[int]]) -> list[Largest]:
        """Read more tokens of some sequences; how many may differ. See `kernels.serving.ToyModel`."""
        more = [len(new) for new in tokens]
        begins = [cache.lengths.get(sequence, 0) for sequence in sequences]
        cache.extend(sequences, more)
        decodes = max(more) == 1
        fits = (s for s in self.graphs if s.decodes == decodes)
        fits = (s for s in fits if s.tokens >= sum(more) and s.sequences >= len(more))
        size = min(fits, key=lambda s: (s.tokens, s.sequences), default=Size(sum(more), len(more), decodes))
        packed = torch.from_numpy(self.pack(cache, sequences, tokens, begins, size))
        if size in self.graphs:
            graph, given, found = self.graphs[size]
            given.copy_(packed.pin_memory(), non_blocking=True)
            graph.replay()
        else:
            found = self.compute(cache, packed.to(self.device), size)
        return [Largest(token) for token in found[: len(more)].tolist()]

    def pack(
        self, cache: GpuCache, sequences: list[int], tokens: list[list[int]], begins: list[int], size: Size
    ) -> np.ndarray:
        """All whole numbers that a step takes, in one array, padded to its size: see `compute`."""
        more = np.array([len(new) for new in tokens])
        rows = np.array([cache.rows[sequence] for sequence in sequences])
        total, batch, wide = int(more.sum()), len(more), cache.table.shape[1]
        owner = np.repeat(np.arange(batch), more)
        ends = np.cumsum(more)
        position = np.arange(total) - (ends - more)[owner] + np.array(begins)[owner]
        packed = np.zeros(4 * size.tokens + 2 * size.sequences + 1 + size.sequences * wide, np.int32)
        each = packed[: 4 * size.tokens].reshape(4, size.tokens)
        each[0, :total] = [token for new in tokens for token in new]
        each[1, :total] = position
        each[2] = cache.spare
        each[2, :total] = cache.table[rows[owner], position // cache.block_size]
        each[3, :total] = position % cache.block_size
        rest = packed[4 * size.tokens :]
        rest[:batch] = np.array(begins) + more
        rest[size.sequences + 1 : 2 * size.sequences + 1] = total
        rest[size.sequences + 1 : size.sequences + 1 + batch] = ends
        rest[2 * size.sequences + 1 :].reshape(size.sequences, wide)[:batch] = cache.table[rows]
        return packed

    def compute(self, cache: GpuCache, packed: Tensor, size: Size) -> Tensor:
        """The pass itself: where the logits behind each sequence's last token are largest, (size.sequences,)."""
        shape = self.shape
        token, position, block, slot = packed[: 4 * size.tokens].reshape(4, size.tokens).long()
        rest = packed[4 * size.tokens :]
        lengths, begins = rest[: size.sequences], rest[size.sequences : 2 * size.sequences + 1]
        tables = rest[2 * size.sequences + 1 :].reshape(size.sequences, -1)
        cos, sin = self.cos[position], self.sin[position]
        split = [shape.heads + shape.kv_heads, shape.kv_heads]
        x = self.embedding[token]
        for layer in range(shape.layers):
            h = F.rms_norm(x, (shape.width,)) @ self.qkv[layer]
            qk, v = h.view(size.tokens, -1, shape.d).split(split, dim=1)
            even, odd = qk.chunk(2, dim=-1)
            qk = torch.cat([even * cos - odd * sin, odd * cos + even * sin], dim=-1)
            q, k = qk[:, : shape.heads].contiguous(), qk[:, shape.heads :]
            cache.k[layer][block, :, slot] = k
            cache.v[layer][block, :, slot] = v
            pools = cache.k[layer], cache.v[layer]
            if size.decodes:
                o = paged_decode(q, *pools, tables, lengths)
            else:
                o = ragged_attention(q, *pools, tables, lengths, begins, longest=size.tokens)
            x = x + o.view(size.tokens, -1) @ self.out[layer]
            gate, up = (F.rms_norm(x, (shape.width,)) @ self.gate_up[layer]).chunk(2, dim=-1)
            x = x + (F.silu(gate) * up) @ self.down[layer]
        last = (begins[1:] - 1).clamp(min=0).long()
        return (F.rms_norm(x[last], (shape.width,)) @ self.head).argmax(dim=-1)

    def record(self, size: Size) -> None:
        """Run a step of padding alone, so that all kernels are compiled, and record its launches."""
        assert self.cache is not None
        wide = self.cache.table.shape[1]
        packed = np.zeros(4 * size.tokens + 2 * size.sequences + 1 + size.sequences * wide, np.int32)
        packed[2 * size.tokens : 3 * size.tokens] = self.cache.spare
        given = torch.from_numpy(packed).to(self.device)
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            self.compute(self.cache, given, size)
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        pool = next((graph.pool() for graph, _, _ in self.graphs.values()), None)
        with torch.cuda.graph(graph, pool=pool):
            found = self.compute(self.cache, given, size)
        self.graphs[size] = graph, given, found
