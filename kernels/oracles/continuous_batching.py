"""The oracles of `continuous_batching`: the clock, the engines, attention.

What a request says is known to an engine when it comes; there is no cache.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import ceil

import torch
from torch import Tensor

from kernels import reference
from kernels.oracles.paged_cache import PrefixModel
from kernels.serving import TooLong, ToyModel


def every_query(
    new: Tensor, length: Tensor, weights: int, per_token: int, per_pair: int, itemsize: int, peak: float,
    bandwidth: float,
) -> Tensor:  # fmt: skip
    """Token by token, each at its position."""
    lengths = [*zip(new.tolist(), length.tolist(), strict=True)]
    seen = sum(position for n, end in lengths for position in range(end - n + 1, end + 1))
    matrices = max(2 * weights * sum(n for n, _ in lengths) / peak, weights * itemsize / bandwidth)
    moved = sum(end for _, end in lengths) * per_token * itemsize
    return torch.tensor(matrices + max(seen * per_pair / peak, moved / bandwidth), dtype=torch.float64)


MODEL = ToyModel()


@cache
def alone(prompt: tuple[int, ...], new: int) -> tuple[int, ...]:
    """A prompt and what the model says to it when it reads nothing else, and all that it reads at once."""
    text = prompt
    for _ in range(new):
        logits = MODEL.step(MODEL.new_cache(1, len(text)), [0], [list(text)])
        text = (*text, int(logits.argmax()))
    return text


@dataclass
class Served:
    """A request: its whole text, how much of that is known by now, and how much of it is cached."""

    number: int
    text: tuple[int, ...]
    known: int
    cached: int = 0


class EngineModel:
    """One queue of requests, and how many from its front run."""

    def __init__(self, n_blocks: int, block_size: int, slots: int, budget: int):
        self.n_blocks, self.block_size, self.slots, self.budget = (n_blocks, block_size, slots, budget)
        self.queue: list[Served] = []
        self.front = 0

    def filled(self, tokens: int) -> int:
        return ceil(tokens / self.block_size)

    def submit(self, number: int, prompt: list[int], new: int) -> None:
        if self.filled(len(prompt) + new - 1) > self.n_blocks:
            raise TooLong
        self.queue.append(Served(number, alone(tuple(prompt), new), len(prompt)))

    def admits(self) -> bool:
        """Whether the first one behind the front may run too."""
        return sum(self.filled(len(r.text) - 1) for r in self.queue[: self.front + 1]) <= self.n_blocks

    def goes_back(self, shares: list[int]) -> bool:
        """Whether the last one of the front has to, for the others to get their shares."""
        return False

    def held(self) -> int:
        return sum(self.filled(r.cached) for r in self.queue)

    def step(self) -> tuple[Tensor, Tensor]:
        left, shares = self.budget, []
        for i in range(len(self.queue)):
            if i == self.front:
                if not left or i == self.slots or not self.admits():
                    break
                self.front += 1
            shares.append(min(self.queue[i].known - self.queue[i].cached, left))
            left -= shares[-1]
        while self.goes_back(shares):
            self.front -= 1
            shares.pop()
            self.leave(self.queue[self.front])
        ran, said = self.queue[: self.front], []
        for request, share in zip(ran, shares, strict=True):
            self.read(request, share)
            if request.cached == request.known:
                said.append([request.number, request.text[request.known]])
                request.known += 1
        for request in ran:
            if request.known == len(request.text):
                self.leave(request)
                self.queue.remove(request)
                self.front -= 1
        computed = [[request.number, share] for request, share in zip(ran, shares, strict=True)]
        return torch.tensor(computed).long().reshape(-1, 2), torch.tensor(said).long().reshape(-1, 2)

    def read(self, request: Served, share: int) -> None:
        request.cached += share

    def leave(self, request: Served) -> None:
        request.cached = 0


class PreemptingModel(EngineModel):
    def admits(self) -> bool:
        return sum(self.filled(r.known) for r in self.queue[: self.front + 1]) <= self.n_blocks

    def goes_back(self, shares: list[int]) -> bool:
        after = (self.filled(r.cached + share) for r, share in zip(self.queue, shares))
        return sum(after) > self.n_blocks


class SharingModel(PreemptingModel):
    """The blocks are those of lesson 24's model."""

    def __init__(self, n_blocks: int, block_size: int, slots: int, budget: int):
        super().__init__(n_blocks, block_size, slots, budget)
        self.blocks = PrefixModel(n_blocks, block_size, 1, 1)

    def held(self) -> int:
        return int(self.blocks.counts().count_nonzero())

    def short(self, ends: list[int]) -> bool:
        """Whether there are too few blocks for those in front to have so many tokens cached."""
        tables = [len(self.blocks.blocks[r.number]) for r in self.queue[: len(ends)]]
        more = sum(self.filled(end) - there for end, there in zip(ends, tables, strict=True))
        return self.held() + more > self.n_blocks

    def admits(self) -> bool:
        request = self.queue[self.front]
        request.cached = self.blocks.start(request.number, list(request.text[: request.known]))
        if self.short([r.known for r in self.queue[: self.front + 1]]):
            self.leave(request)
            return False
        return True

    def goes_back(self, shares: list[int]) -> bool:
        return self.short([r.cached + share for r, share in zip(self.queue, shares)])

    def read(self, request: Served, share: int) -> None:
        new = list(request.text[request.cached : request.cached + share])
        self.blocks.extend(request.number, new, *torch.zeros(2, 1, share, 1))
        super().read(request, share)

    def leave(self, request: Served) -> None:
        self.blocks.free(request.number)
        super().leave(request)


def each_by_itself(
    q: Tensor, k_pool: Tensor, v_pool: Tensor, tables: Tensor, lengths: Tensor, begins: Tensor, longest: int,
    scale: float | None = None, **tiles: int,
) -> Tensor:  # fmt: skip
    """Every sequence with its own queries, its keys and values looked up token by token."""
    block_size, group = k_pool.shape[2], q.shape[1] // k_pool.shape[1]
    o = torch.zeros_like(q)
    for b, length in enumerate(lengths.tolist()):
        own = slice(int(begins[b]), int(begins[b + 1]))
        if length == 0:
            continue
        token = torch.arange(length)
        block, slot = tables[b, token // block_size].long(), token % block_size
        k, v = (pool[block, :, slot].transpose(0, 1).repeat_interleave(group, 0) for pool in (k_pool, v_pool))
        o[own] = reference.attention(q[own].transpose(0, 1), k, v, True, scale)[0].transpose(0, 1)
    return o
