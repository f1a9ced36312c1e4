"""A paged cache of keys and values, and attention that walks its block tables.

The layout is that of Kwon et al., *PagedAttention* (2023), with the heads of a block before its
tokens. Left out: moving blocks to a larger, slower memory when the pool is full, and keeping
what freed blocks hold until their space is needed.
"""

import heapq
import math
from collections import Counter

import torch
import triton
import triton.language as tl
from torch import Tensor


class OutOfBlocks(RuntimeError):
    """More blocks are asked for than are free."""


class NotHeld(RuntimeError):
    """A block that nobody holds is shared or freed."""


class WrongSequence(KeyError):
    """A sequence that does not exist is named, or one that exists already is begun."""


class BlockAllocator:
    """Numbered blocks, and how many holders each of them has.

    n_blocks: how many blocks there are; their numbers are 0 to n_blocks - 1, and all are free.
    holders: for each block, how many hold it. A call that raises has changed nothing.
    Returns blocks as lists of numbers, and counts as a tensor (n_blocks,) int64.
    """

    def __init__(self, n_blocks: int):
        self.holders = [0] * n_blocks
        self.free_list = list(range(n_blocks))  # a heap: its smallest number is the first

    def allocate(self, n: int) -> list[int]:
        """Take the n free blocks with the lowest numbers, each held once from now on.

        Returns their numbers in ascending order. Raises OutOfBlocks if fewer than n are free.
        """
        ### BEGIN SOLUTION
        if n > len(self.free_list):
            raise OutOfBlocks(f"{n} blocks are wanted, {len(self.free_list)} are free")
        blocks = [heapq.heappop(self.free_list) for _ in range(n)]
        for block in blocks:
            self.holders[block] = 1
        return blocks
        ### END SOLUTION

    def share(self, blocks: list[int]) -> None:
        """Count one more holder for each of the blocks, two if it is named twice.

        Raises NotHeld if one is free.
        """
        ### BEGIN SOLUTION
        if any(self.holders[block] == 0 for block in blocks):
            raise NotHeld(f"of {blocks} one is free")
        for block in blocks:
            self.holders[block] += 1
        ### END SOLUTION

    def free(self, blocks: list[int]) -> None:
        """Count one holder fewer for each of the blocks, two if it is named twice.

        A block that nobody holds any more is free. Raises NotHeld if a block has fewer holders
        than `blocks` names it.
        """
        ### BEGIN SOLUTION
        if any(self.holders[block] < times for block, times in Counter(blocks).items()):
            raise NotHeld(f"of {blocks} one has fewer holders than are to give it back")
        for block in blocks:
            self.holders[block] -= 1
            if self.holders[block] == 0:
                heapq.heappush(self.free_list, block)
        ### END SOLUTION

    def counts(self) -> Tensor:
        """How many hold each block, (n_blocks,) int64; 0 is free."""
        return torch.tensor(self.holders)


class PagedCache:
    """Keys and values of many sequences, in blocks of one pool.

    n_blocks, block_size: the pool's blocks, and how many tokens fit into each. n_heads: KV
    heads. d: head dim. A sequence is named by a number of the caller's choice.
    k, v: the pools, (n_blocks, n_heads, block_size, d) float32. tables: for each sequence the
    numbers of its blocks, in order: its token i lies in block tables[sequence][i // block_size]
    in slot i % block_size. lengths: how many tokens it has.
    A method that raises has changed nothing; WrongSequence is raised by the lines that are
    given. Keys and values are returned as (n_heads, tokens, d) float32.
    """

    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        self.allocator = BlockAllocator(n_blocks)
        self.block_size = block_size
        self.k = torch.full((n_blocks, n_heads, block_size, d), torch.nan)  # nothing written
        self.v = torch.full((n_blocks, n_heads, block_size, d), torch.nan)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def append(self, sequence: int, k: Tensor, v: Tensor) -> None:
        """Add tokens at the end of a sequence, which begins here if it is new.

        k, v: (n_heads, n, d) float32, n >= 1. If the first of them belongs in a block that
        other sequences hold too, the sequence continues in a copy of that block and gives up
        its share of the original. Then come the further blocks. All are taken with one call of
        `allocate`, the copy first.
        Raises OutOfBlocks if there are not enough; a new sequence has then not begun.
        """
        ### BEGIN SOLUTION
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
        ### END SOLUTION

    def fork(self, parent: int, child: int) -> None:
        """Begin the new sequence `child` with all tokens of `parent`, without copying any."""
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        ### BEGIN SOLUTION
        self.allocator.share(self.tables[parent])
        self.tables[child] = list(self.tables[parent])
        self.lengths[child] = self.lengths[parent]
        ### END SOLUTION

    def free(self, sequence: int) -> None:
        """End a sequence and give its blocks back. Its number may be used again."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        ### BEGIN SOLUTION
        self.allocator.free(self.tables.pop(sequence))
        del self.lengths[sequence]
        ### END SOLUTION

    def gather(self, sequence: int) -> tuple[Tensor, Tensor]:
        """Copies of the keys and values of a sequence, in order: k, v (n_heads, tokens, d)."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        ### BEGIN SOLUTION
        k, v = (
            pool[self.tables[sequence]].transpose(0, 1).flatten(1, 2)
            for pool in (self.k, self.v)
        )
        return k[:, : self.lengths[sequence]], v[:, : self.lengths[sequence]]
        ### END SOLUTION

    def table(self, sequence: int) -> Tensor:
        """The block table of a sequence, (blocks,) int32."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def counts(self) -> Tensor:
        """How many sequences hold each block, (n_blocks,) int64."""
        return self.allocator.counts()


class PrefixCache(PagedCache):
    """A paged cache in which prompts with a common prefix share its blocks.

    n_blocks, block_size, n_heads, d: as in `PagedCache`.
    A full block is known by its name: the tokens in it and all tokens before them. A block is
    known from the `extend` that finds it full until nobody holds it any more. Of two blocks
    with the same name the one that was known first keeps it, as long as it is held. Tokens
    come by `extend` alone. Keys and values are returned as (n_heads, tokens, d) float32.
    """

    def __init__(self, n_blocks: int, block_size: int, n_heads: int, d: int):
        super().__init__(n_blocks, block_size, n_heads, d)
        self.known: dict[int, int] = {}  # from a name to the block that has it
        self.names: dict[int, int] = {}  # from a block to its name
        self.tokens: dict[int, list[int]] = {}  # of each sequence

    def block_name(self, before: int, tokens: list[int]) -> int:
        """The name of a full block, from its tokens and the name of the block before it.

        before: 0 if the block is the first. Returns the same number for the same tokens.
        """
        ### BEGIN SOLUTION
        return hash((before, *tokens))
        ### END SOLUTION

    def start(self, sequence: int, tokens: list[int]) -> int:
        """Begin a new sequence with the blocks of its prompt that are known.

        tokens: the prompt, at least one token. The known blocks from the first one on are
        shared, up to one that is not known, but never the whole prompt: its last token is left,
        so that there is a query to compute.
        Returns how many tokens are in the cache already, a multiple of block_size.
        """
        if sequence in self.tables:
            raise WrongSequence(sequence)
        ### BEGIN SOLUTION
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
        ### END SOLUTION

    def extend(self, sequence: int, tokens: list[int], k: Tensor, v: Tensor) -> None:
        """Add tokens to a sequence that was started or forked, and make its full blocks known.

        tokens: n >= 1 numbers; k, v: (n_heads, n, d) float32, theirs. Every full block of the
        sequence whose name is not known yet becomes known.
        Raises OutOfBlocks if there are not enough blocks.
        """
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        self.append(sequence, k, v)
        ### BEGIN SOLUTION
        self.tokens[sequence] += tokens
        name = 0
        for i in range(self.lengths[sequence] // self.block_size):
            begin = i * self.block_size
            tokens = self.tokens[sequence][begin : begin + self.block_size]
            name = self.block_name(name, tokens)
            if name not in self.known:
                block = self.tables[sequence][i]
                self.known[name], self.names[block] = block, name
        ### END SOLUTION

    def fork(self, parent: int, child: int) -> None:
        """Begin the new sequence `child` with all tokens of `parent`, without copying any."""
        super().fork(parent, child)
        self.tokens[child] = list(self.tokens[parent])

    def free(self, sequence: int) -> None:
        """End a sequence and give its blocks back; those that nobody holds are forgotten."""
        table = self.tables.get(sequence, [])
        super().free(sequence)
        del self.tokens[sequence]
        ### BEGIN SOLUTION
        for block in table:
            if self.allocator.holders[block] == 0 and block in self.names:
                del self.known[self.names.pop(block)]
        ### END SOLUTION


def paged_gather_attention(
    q: Tensor,
    k_pool: Tensor,
    v_pool: Tensor,
    tables: Tensor,
    lengths: Tensor,
    scale: float | None = None,
) -> Tensor:
    """Causal attention of the last tokens of each sequence over keys and values in blocks.

    q: (B, H, N_q, d) float32, the queries of the last N_q tokens of each of B sequences.
    k_pool, v_pool: (n_blocks, H_kv, block_size, d) float32; query head h reads KV head
    h // (H / H_kv). What belongs to no sequence is not initialised, and may be NaN.
    tables: (B, max_blocks) int32, the blocks of each sequence in order, -1 behind them.
    lengths: (B,) int32, the tokens of each sequence, those of the queries included; there may
    be fewer than N_q, or none.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Query i of sequence b sees the keys j <= i + lengths[b] - N_q.
    Returns o (B, H, N_q, d), same dtype; a query that sees no key gives zeros.
    """
    group, block_size, n_q = q.shape[1] // k_pool.shape[1], k_pool.shape[2], q.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.zeros_like(q)
    for b, length in enumerate(lengths.tolist()):
        ### BEGIN SOLUTION
        table = tables[b, : -(-length // block_size)]
        k, v = (
            pool[table].transpose(0, 1).flatten(1, 2)[:, :length] for pool in (k_pool, v_pool)
        )
        k, v = (x.repeat_interleave(group, dim=0) for x in (k, v))
        s = scale * (q[b] @ k.transpose(1, 2))
        query, key = torch.arange(n_q)[:, None], torch.arange(length)
        s = s.masked_fill(key > query + length - n_q, -torch.inf)
        p = torch.softmax(s, dim=-1).masked_fill(torch.isneginf(s), 0)
        o[b] = p @ v
        ### END SOLUTION
    return o


@triton.jit
def paged_split_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, o_splits_ptr, L_splits_ptr, max_blocks,
    scale_2, GROUP: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr,
    TILE: tl.constexpr,
):  # fmt: skip
    """One program: all queries that share a KV head meet one split of a sequence's keys."""
    split, head, b = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    splits, kv_heads = tl.num_programs(0), tl.num_programs(1)
    length = tl.load(lengths_ptr + b)
    keys_per_split = tl.cdiv(tl.cdiv(length, TILE), splits) * TILE  # whole tiles, shared out
    begin = split * keys_per_split
    end = tl.minimum(begin + keys_per_split, length)
    rows = tl.arange(0, ROWS)  # the queries of the group; the rest is padding
    columns = tl.arange(0, D)
    query = (b * kv_heads + head) * GROUP + rows
    q_there = query[:, None] * D + columns
    q = tl.load(q_ptr + q_there, mask=rows[:, None] < GROUP, other=0)
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    l = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    ### BEGIN SOLUTION
    table_ptr = tables_ptr + b * max_blocks
    for start in range(begin, end, TILE):
        keys = start + tl.arange(0, TILE)
        here = keys < end
        block = tl.load(table_ptr + keys // BLOCK, mask=here, other=0).to(tl.int64)
        slot = (block * kv_heads + head) * BLOCK + keys % BLOCK
        there = slot[:, None] * D + columns
        k = tl.load(k_ptr + there, mask=here[:, None], other=0)
        v = tl.load(v_ptr + there, mask=here[:, None], other=0)
        s = tl.dot(q, k.T, input_precision="ieee")
        s = tl.where(here, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1) * scale_2)
        alpha = tl.exp2(m - m_new)
        p = tl.exp2(s * scale_2 - m_new[:, None])
        l = alpha * l + tl.sum(p, axis=1)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
        m = m_new
    ### END SOLUTION
    l = tl.where(l == 0, 1.0, l)
    there = query * splits + split
    tl.store(L_splits_ptr + there, m + tl.log2(l), mask=rows < GROUP)
    o_there = there[:, None] * D + columns
    tl.store(o_splits_ptr + o_there, acc / l[:, None], mask=rows[:, None] < GROUP)


@triton.jit
def paged_combine_kernel(
    o_splits_ptr, L_splits_ptr, o_ptr, n_splits, D: tl.constexpr, SPLITS: tl.constexpr
):
    """One program: the splits of one query, merged by their log-sum-exps (to base 2)."""
    query = tl.program_id(0)
    split, columns = tl.arange(0, SPLITS), tl.arange(0, D)
    there = query * n_splits + split
    L = tl.load(L_splits_ptr + there, mask=split < n_splits, other=float("-inf"))
    o_there = there[:, None] * D + columns
    o = tl.load(o_splits_ptr + o_there, mask=split[:, None] < n_splits, other=0)
    top = tl.max(L, axis=0)
    weight = tl.exp2(L - tl.where(top == float("-inf"), 0.0, top))
    total = tl.sum(weight, axis=0)
    o = tl.sum(o * weight[:, None], axis=0) / tl.where(total == 0, 1.0, total)
    tl.store(o_ptr + query * D + columns, o)


def paged_decode(
    q: Tensor,
    k_pool: Tensor,
    v_pool: Tensor,
    tables: Tensor,
    lengths: Tensor,
    scale: float | None = None,
    splits: int | None = None,
    tile: int = 64,
) -> Tensor:
    """Attention of one new token of each sequence over keys and values in blocks.

    q: (B, H, d), k_pool, v_pool: (n_blocks, H_kv, block_size, d), contiguous, of one dtype,
    float32 or 16 bits wide; d: a power of two from 16 to 128. Query head h reads KV head
    h // (H / H_kv). What belongs to no sequence is not initialised, and may be NaN.
    tables: (B, max_blocks) int32, the blocks of each sequence in order, -1 behind them.
    lengths: (B,) int32, the tokens of each sequence, the new one included; 0 marks an empty
    slot in the batch.
    scale: factor of the scores, positive, 1/sqrt(d) if None. splits: how many the keys of each
    sequence are cut into; if None, enough to fill an H200. tile: keys at a time, a
    power of two from 16 on, whatever block_size is.
    Returns o (B, H, d), same dtype; zeros where the length is 0.
    Traffic: each key and value once for each KV head, its block's number with it; q once for
    each split; the partial outputs and their log-sum-exps, in float32, there and back; o once.
    """
    batch, heads, d = q.shape
    _, kv_heads, block_size, _ = k_pool.shape
    group = heads // kv_heads
    if splits is None:  # an H200 runs 528 of these programs at a time
        longest = tables.shape[1] * block_size
        splits = max(1, min(528 // (batch * kv_heads), longest // 128))
    o_splits = torch.empty(batch, heads, splits, d, dtype=torch.float32, device=q.device)
    L_splits = torch.empty(batch, heads, splits, dtype=torch.float32, device=q.device)
    o = torch.empty_like(q)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    paged_split_kernel[(splits, kv_heads, batch)](
        q, k_pool, v_pool, tables, lengths, o_splits, L_splits, tables.shape[1], scale_2,
        GROUP=group, ROWS=max(16, triton.next_power_of_2(group)), D=d, BLOCK=block_size,
        TILE=tile,
    )  # fmt: skip
    paged_combine_kernel[(batch * heads,)](
        o_splits, L_splits, o, splits, D=d, SPLITS=triton.next_power_of_2(splits)
    )
    return o


@triton.jit
def paged_prefill_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, o_ptr, max_blocks, n_q, scale_2,
    GROUP: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr, TILE_M: tl.constexpr,
    TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: a tile of packed rows of a sequence and KV head meets the keys they see."""
    head, b, kv_heads = tl.program_id(1), tl.program_id(2), tl.num_programs(1)
    length = tl.load(lengths_ptr + b)
    first = (tl.num_programs(0) - 1 - tl.program_id(0)) * TILE_M  # most keys first
    rows = first + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    position = rows // GROUP  # in the chunk
    query = ((b * kv_heads + head).to(tl.int64) * GROUP + rows % GROUP) * n_q + position
    q_there, real = query[:, None] * D + columns, position[:, None] < n_q
    q = tl.load(q_ptr + q_there, mask=real, other=0)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    ### BEGIN SOLUTION
    last = position + length - n_q
    seen_by_all = first // GROUP + 1 + length - n_q
    seen_by_any = tl.minimum((first + TILE_M - 1) // GROUP + 1 + length - n_q, length)
    table_ptr = tables_ptr + b * max_blocks
    for start in range(0, seen_by_any, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        here = keys < seen_by_any
        block = tl.load(table_ptr + keys // BLOCK, mask=here, other=0).to(tl.int64)
        slot = (block * kv_heads + head) * BLOCK + keys % BLOCK
        there = slot[:, None] * D + columns
        k = tl.load(k_ptr + there, mask=here[:, None], other=0)
        v = tl.load(v_ptr + there, mask=here[:, None], other=0)
        s = tl.dot(q, k.T, input_precision="ieee")
        if start + TILE_N > seen_by_all:
            s = tl.where(keys <= last[:, None], s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1) * scale_2)
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)  # -inf - (-inf) would be NaN
        alpha = tl.exp2(m - shift)
        p = tl.exp2(s * scale_2 - shift[:, None])
        l = alpha * l + tl.sum(p, axis=1)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
        m = m_new
    ### END SOLUTION
    l = tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + q_there, acc / l[:, None], mask=real)


def paged_prefill(
    q: Tensor,
    k_pool: Tensor,
    v_pool: Tensor,
    tables: Tensor,
    lengths: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    """Causal attention of the last tokens of each sequence over keys and values in blocks.

    q: (B, H, N_q, d), the queries of the last N_q tokens of each of B sequences; k_pool,
    v_pool: (n_blocks, H_kv, block_size, d); all contiguous, of one dtype, float32 or 16 bits
    wide; d: a power of two from 16 to 128. Query head h reads KV head h // (H / H_kv). What
    belongs to no sequence is not initialised, and may be NaN.
    tables: (B, max_blocks) int32, the blocks of each sequence in order, -1 behind them.
    lengths: (B,) int32, the tokens of each sequence, those of the queries included.
    scale: factor of the scores, positive, 1/sqrt(d) if None. tile_m packed rows, each a pair of
    a position and a head of the group, meet tile_n keys at a time; both are powers of two from
    16 on, whatever block_size is.
    Query i of sequence b sees the keys j <= i + lengths[b] - N_q.
    Returns o (B, H, N_q, d), same dtype; a query that sees no key gives zeros.
    Traffic: q once; keys and values, with their blocks' numbers, for each tile of the
    N_q H / H_kv rows of a KV head, up to the last tile of keys that one of its rows sees.
    """
    batch, heads, n_q, d = q.shape
    _, kv_heads, block_size, _ = k_pool.shape
    group = heads // kv_heads
    o = torch.empty_like(q)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    paged_prefill_kernel[(triton.cdiv(n_q * group, tile_m), kv_heads, batch)](
        q, k_pool, v_pool, tables, lengths, o, tables.shape[1], n_q, scale_2,
        GROUP=group, D=d, BLOCK=block_size, TILE_M=tile_m, TILE_N=tile_n, num_stages=3,
    )  # fmt: skip
    return o
