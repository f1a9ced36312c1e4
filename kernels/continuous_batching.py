"""Serving many requests at once: who computes which tokens in which step.

A step is one pass of the model over some new tokens of some sequences, as many of each as the
plan says, with keys and values in a paged cache. Scheduling by steps is Yu et al., *Orca*
(2022), preemption by recomputation Kwon et al., *PagedAttention* (2023), prompts in chunks
beside decoding Agrawal et al., *Sarathi-Serve* (2024). Left out: priorities, stop tokens,
moving blocks to the host, caches that outlive their requests.
"""

import math
from typing import Any

import numpy as np
import torch
import triton
import triton.language as tl
from torch import Tensor

from kernels.memory_hierarchy import roofline_time
from kernels.paged_cache import OutOfBlocks
from kernels.serving import Request, TooLong, ToyModel, as_pairs


def step_time(
    new: np.ndarray,
    length: np.ndarray,
    weights: int,
    per_token: int,
    per_pair: int,
    itemsize: int,
    peak: float,
    bandwidth: float,
) -> float:
    """The least time that one step of a language model takes, on the roofline's clock.

    new: (B,) int64, how many tokens of each sequence the step computes, at least one. length:
    (B,) int64, how many tokens the sequence has then, the new ones included.
    weights: numbers in the matrices that each new token meets. per_token: numbers in the cache
    for each token of a sequence. per_pair: operations for each pair of a new token and a key
    that it sees. All are of all layers and heads together. itemsize: bytes of one number.
    peak: operations per second. bandwidth: bytes per second.
    Returns seconds, a number (float64): the roofline time of the matrices of all sequences,
    plus that of the attention of all. Matrices: two operations for each new
    token and weight, and every weight moves once. Attention: a new token sees itself and all
    before it, and the numbers in the cache of all tokens of each sequence move once. Nothing
    else is counted.
    """
    ### BEGIN SOLUTION
    pairs = (new * length - new * (new - 1) // 2).sum()
    flops = np.array([2 * weights * new.sum(), per_pair * pairs])
    moved = np.array([weights, per_token * length.sum()]) * itemsize
    return roofline_time(flops, moved, peak, bandwidth).sum()
    ### END SOLUTION


class Engine:
    """Requests that come and go while others are served: continuous batching.

    n_blocks, block_size: of the cache. slots: how many requests may run at a time. budget: how
    many tokens a step may compute, at least `slots`. model: what is served, the toy if None.
    running, waiting: the requests (`kernels.serving.Request`). Who came first is served first.
    The cache is never copied whole, at once or in pieces. submit and step are called from
    outside; a step returns two tensors (n, 2) int64, what was computed and what was said.
    """

    def __init__(
        self, n_blocks: int, block_size: int, slots: int, budget: int, model: Any = None
    ):
        self.model = model or ToyModel()
        self.cache = self.model.new_cache(n_blocks, block_size)
        self.n_blocks, self.block_size = n_blocks, block_size
        self.slots, self.budget = slots, budget
        self.running: list[Request] = []
        self.waiting: list[Request] = []

    def blocks(self, tokens: int) -> int:
        """How many blocks so many tokens of a sequence fill."""
        return -(-tokens // self.block_size)

    def submit(self, number: int, prompt: list[int], new: int) -> None:
        """A request comes, and waits. It is to say `new` tokens, at least one.

        Raises TooLong if it could not be served even alone. The last token that it says is
        never read, and takes no room.
        """
        if self.blocks(len(prompt) + new - 1) > self.n_blocks:
            raise TooLong(number)
        self.waiting.append(Request(number, list(prompt), new))

    def admit(self, request: Request) -> bool:
        """Whether the request, the first that waits, may run beside those that do.

        It may if there are blocks for all of them at their longest, so that none runs out.
        """
        ### BEGIN SOLUTION
        together = [*self.running, request]
        return sum(self.blocks(len(r.tokens) + r.left - 1) for r in together) <= self.n_blocks
        ### END SOLUTION

    def plan(self) -> list[tuple[Request, int]]:
        """Who computes how many tokens in this step, together at most `budget`.

        First those that run, in the order in which they came: each as many as it has beyond its
        cached ones, or what is left of the budget. Then, as long as budget and slots are left,
        the first that waits is admitted, and gets its share likewise; if it may not run, none
        behind it does. Returns (request, number of tokens) pairs.
        """
        ### BEGIN SOLUTION
        left, chunks = self.budget, []
        for request in self.running:
            chunks.append((request, min(len(request.tokens) - request.cached, left)))
            left -= chunks[-1][1]
        while left and self.waiting and len(self.running) < self.slots:
            if not self.admit(self.waiting[0]):
                break
            request = self.waiting.pop(0)
            self.running.append(request)
            chunks.append((request, min(len(request.tokens) - request.cached, left)))
            left -= chunks[-1][1]
        return chunks
        ### END SOLUTION

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        """The model's step over what is planned: logits (len(chunks), vocabulary)."""
        sequences = [request.number for request, _ in chunks]
        tokens = [request.tokens[request.cached : request.cached + n] for request, n in chunks]
        return self.model.step(self.cache, sequences, tokens)

    def step(self) -> tuple[Tensor, Tensor]:
        """Plan a step, compute it, and note what came of it.

        A request whose tokens are all in the cache says its next one, the most likely. If that
        was its last one, it runs no more, and its sequence is freed. The model reads the tokens
        that are computed, and none outside of a step.
        Returns what was computed, (chunks, 2) int64, number and tokens, at least one, of each
        request in the order of the plan; and what was said, (tokens, 2) int64, number and token
        in that order.
        """
        chunks, said = self.plan(), []
        logits = self.compute(chunks) if chunks else torch.empty(0)
        for (request, n), row in zip(chunks, logits):
            ### BEGIN SOLUTION
            request.cached += n
            if request.cached < len(request.tokens):
                continue  # the rest of its prompt comes in the next step
            request.tokens.append(int(row.argmax()))
            request.left -= 1
            said.append((request.number, request.tokens[-1]))
            if request.left == 0:
                self.running.remove(request)
                self.cache.free(request.number)
            ### END SOLUTION
        computed = [(request.number, n) for request, n in chunks]
        return as_pairs(computed), as_pairs(said)

    def held(self) -> int:
        """How many blocks of the cache are held."""
        return int((self.cache.counts() > 0).sum())


class StaticBatches(Engine):
    """An engine whose batch is as many of those that wait as there are slots, to its end.

    n_blocks, block_size, slots, budget, model: as in `Engine`. The next batch begins when this
    one's last request has ended.
    """

    places = 0  # left in the batch

    def plan(self) -> list[tuple[Request, int]]:
        if not self.running:
            self.places = min(self.slots, len(self.waiting))
        return super().plan()

    def admit(self, request: Request) -> bool:
        joins = self.places > 0 and super().admit(request)
        self.places -= joins
        return joins


class PreemptingEngine(Engine):
    """An engine that takes more requests than could all grow to their end.

    n_blocks, block_size, slots, budget, model: as in `Engine`, and so is what a step returns,
    two tensors (n, 2) int64: what is preempted was not computed. The cache is never copied
    whole, at once or in pieces.
    """

    def admit(self, request: Request) -> bool:
        """Whether the request, the first that waits, may run beside those that do.

        It may if there are blocks for the tokens that all of them have now.
        """
        ### BEGIN SOLUTION
        together = [*self.running, request]
        return sum(self.blocks(len(r.tokens)) for r in together) <= self.n_blocks
        ### END SOLUTION

    def preempt(self, chunks: list[tuple[Request, int]]) -> None:
        """Take the request that began to run last out of the lists `running` and `chunks`.

        Its sequence, which the cache has, is freed, and nothing of it is cached. It waits,
        before all others, keeps what it has said, and will be admitted as if all its tokens
        were a prompt.
        """
        ### BEGIN SOLUTION
        chunks.pop()
        request = self.running.pop()
        self.cache.free(request.number)
        request.cached = 0
        self.waiting.insert(0, request)
        ### END SOLUTION

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        """The model's step over what is planned: logits (len(chunks), vocabulary).

        As often as the cache is out of blocks, one request is preempted and the others try
        again. What was planned for them stays as it is.
        """
        ### BEGIN SOLUTION
        while True:
            try:
                return super().compute(chunks)
            except OutOfBlocks:
                self.preempt(chunks)
        ### END SOLUTION


class SharingEngine(PreemptingEngine):
    """An engine whose requests share the blocks of a common beginning, as PrefixCache does.

    n_blocks, block_size, slots, budget, model: as in `Engine`, and so is what a step returns,
    two tensors (n, 2) int64: what is shared is not computed. The cache is never copied whole,
    at once or in pieces.
    """

    def admit(self, request: Request) -> bool:
        """Whether the request, the first that waits, may run beside those that do.

        Its sequence is started in the cache, which says how many of its tokens are there: so
        many are `cached` from now on. It may run if beside all blocks that are held then there
        are enough for the tokens not cached yet of this request and of all that run. If not,
        its sequence is freed, and it waits as before; its `cached` means nothing until the next
        try.
        """
        ### BEGIN SOLUTION
        request.cached = self.cache.start(request.number, request.tokens)
        together = [*self.running, request]
        more = sum(self.blocks(len(r.tokens)) - self.blocks(r.cached) for r in together)
        if self.held() + more <= self.n_blocks:
            return True
        self.cache.free(request.number)
        request.cached = 0
        return False
        ### END SOLUTION


@triton.jit
def ragged_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, begins_ptr, o_ptr, max_blocks, scale_2,
    GROUP: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr, TILE_M: tl.constexpr,
    TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: a tile of packed rows of a sequence and KV head, if it has so many rows."""
    head, b, kv_heads = tl.program_id(1), tl.program_id(2), tl.num_programs(1)
    length = tl.load(lengths_ptr + b)
    first = (tl.num_programs(0) - 1 - tl.program_id(0)) * TILE_M  # most keys first
    rows = first + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    position = rows // GROUP  # in the chunk
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    ### BEGIN SOLUTION from paged_prefill
    begin = tl.load(begins_ptr + b)
    n_q = tl.load(begins_ptr + b + 1) - begin
    if first >= n_q * GROUP:
        return
    query = ((begin + position).to(tl.int64) * kv_heads + head) * GROUP + rows % GROUP
    q_there, real = query[:, None] * D + columns, position[:, None] < n_q
    q = tl.load(q_ptr + q_there, mask=real, other=0)
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


def ragged_attention(
    q: Tensor,
    k_pool: Tensor,
    v_pool: Tensor,
    tables: Tensor,
    lengths: Tensor,
    begins: Tensor,
    longest: int,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    """Causal attention of the last tokens of each sequence, of each as many as it has new ones.

    q: (T, H, d), the queries of B sequences, one after the other: those of sequence b are
    q[begins[b] : begins[b + 1]], and they are its last tokens. begins: (B + 1,) int32, never
    falling, from 0 to T: a sequence may have no query. longest: the most queries that one has.
    k_pool, v_pool: (n_blocks, H_kv, block_size, d); all contiguous, of one dtype, float32 or 16
    bits wide; d: a power of two from 16 to 128. Query head h reads KV head h // (H / H_kv).
    What belongs to no sequence is not initialised, and may be NaN.
    tables: (B, max_blocks) int32, the blocks of each sequence in order, -1 after them.
    lengths: (B,) int32, the tokens of each sequence, those of its queries included.
    scale: factor of the scores, positive, 1/sqrt(d) if None. tile_m packed rows, each a pair of
    a position and a head of the group, meet tile_n keys at a time; both are powers of two from
    16 on, whatever block_size is.
    Query i of the n of sequence b sees the keys j <= i + lengths[b] - n.
    Returns o (T, H, d), same dtype. All sums are taken in float32, and on the way to o only P
    may be rounded to 16 bits, nothing to TF32. Memory: o alone; queries, keys and values are
    not copied. A pool may hold more than 2^31 numbers, if not as many rows of d: offsets take
    64 bits. In one launch, one program for each tile of the rows of a sequence and KV head.
    Traffic: q once; keys and values, with their blocks' numbers, for each tile of the
    n H / H_kv rows of a sequence and KV head, up to the last tile of keys that one of its rows
    sees. Only these tiles are multiplied, each once. A score takes one exponential. No load
    holds more than two tiles of rows or keys, and no product more than one of each. A program
    without rows loads nothing but its sequence's length, begin and end.
    """
    _, heads, d = q.shape
    _, kv_heads, block_size, _ = k_pool.shape
    group, batch = heads // kv_heads, len(lengths)
    o = torch.empty_like(q)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    ragged_kernel[(triton.cdiv(longest * group, tile_m), kv_heads, batch)](
        q, k_pool, v_pool, tables, lengths, begins, o, tables.shape[1], scale_2,
        GROUP=group, D=d, BLOCK=block_size, TILE_M=tile_m, TILE_N=tile_n, num_stages=3,
    )  # fmt: skip
    return o
