"""Answers that share their blocks, and the search for the likeliest: what is right."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import Any

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor

from kernels.sampling import NoSuchAnswer, OutOfBlocks


class AnswersModel:
    """Every answer as its text, prompt included, and beside it the numbers of its blocks."""

    def __init__(self, model: Tensor, n_blocks: int, block_size: int):
        self.weights, self.n_blocks, self.block_size = model, n_blocks, block_size
        self.texts: list[list[int]] = []
        self.tables: list[list[int]] = []

    def start(self, prompt: list[int]) -> Tensor:
        self.texts, self.tables = [prompt], [list(range(ceil(len(prompt) / self.block_size)))]
        return toy_logits(self.weights, self.texts)

    def grow(self, parents: list[int], tokens: list[int]) -> Tensor:
        self.tables = [[*self.tables[parent]] for parent in parents]
        self.texts = [[*self.texts[parent]] for parent in parents]
        forked = [[*table] for table in self.tables]
        try:
            for text, table in zip(self.texts, self.tables):
                if len(text) % self.block_size == 0:
                    table.append(self.free_block())
                elif sum(table[-1] in other for other in self.tables) > 1:
                    table[-1] = self.free_block()
        except OutOfBlocks:
            self.tables = forked
            raise
        for text, token in zip(self.texts, tokens, strict=True):
            text.append(token)
        return toy_logits(self.weights, self.texts)

    def free_block(self) -> int:
        found = next((block for block, count in enumerate(self.counts().tolist()) if count == 0), None)
        if found is None:
            raise OutOfBlocks
        return found

    def counts(self) -> Tensor:
        held = [block for table in self.tables for block in table]
        return torch.tensor([held.count(block) for block in range(self.n_blocks)])

    def table(self, answer: int) -> Tensor:
        if answer >= len(self.tables):
            raise NoSuchAnswer
        return torch.tensor(self.tables[answer], dtype=torch.int32)

    def tokens(self, answer: int) -> Tensor:
        if answer >= len(self.texts):
            raise NoSuchAnswer
        return torch.tensor(self.texts[answer])


def toy_logits(weights: Tensor, texts: list[list[int]]) -> Tensor:
    """A ToyModel's logits behind each text."""
    fade = [0.5 ** torch.arange(len(text) - 1, -1, -1, dtype=weights.dtype) for text in texts]
    rows = [f @ weights[text] for f, text in zip(fade, texts)]
    return torch.stack(rows) if rows else weights[:0]


def toy_weights(rng: Generator, vocabulary: int, size: float = 1.5) -> np.ndarray:
    return (size * rng.standard_normal((vocabulary, vocabulary))).astype(np.float32)


Moves = list[tuple[list[int], list[int]]]  # of each step, the parents and the tokens


def blocks_needed(prompt: list[int], moves: Moves, block_size: int) -> int:
    """The most blocks that are held at a time."""
    model = AnswersModel(torch.zeros(1000, 1), 1000, block_size)
    model.start(prompt)
    held = [int(model.counts().count_nonzero())]
    for parents, tokens in moves:
        model.grow(parents, tokens)
        held.append(int(model.counts().count_nonzero()))
    return max(held)


def all_continuations(scores: Tensor, logits: Tensor, n: int) -> tuple[Tensor, Tensor, Tensor]:
    """Each by itself, then sorted."""
    found: list[tuple[float, int, int]] = []
    for beam, (score, row) in enumerate(zip(scores, logits)):
        shifted = row - row.max()
        total = (score + (shifted - shifted.exp().sum().log())).tolist()
        found += [(total[token], beam, token) for token in (row > -torch.inf).nonzero().flatten().tolist()]
    found = sorted(found, key=lambda each: -each[0])[:n]
    beams, tokens = (torch.tensor([each[i] for each in found]).long() for i in (1, 2))
    return scores.new_tensor([each[0] for each in found]), beams, tokens


@dataclass
class Moment:
    """What was known when a step of a search had been taken that is not the last.

    beam: the score of the likeliest beam. finished: scores, the best first. passed_over: those of continuations that
    end, among the 2 n_beams likeliest, behind the last new beam. ended: parents and tokens of those finished here.
    """

    length: int
    beam: float
    finished: list[float]
    passed_over: list[float]
    ended: tuple[list[int], list[int]]


@dataclass
class Search:
    """What a search finds, the parents and tokens of its steps, and how near to each other the nearest numbers were
    that decided something. late: texts that ended though n_beams or more continuations were likelier.
    """

    scores: list[Tensor]
    texts: list[list[int]]
    moves: Moves
    moments: list[Moment]
    margin: float
    late: list[list[int]]


def search(
    weights: Tensor, prompt: list[int], n_beams: int, end: int, max_tokens: int, alpha: float, among: int = 0
) -> Search:
    """Beam search without a cache: every beam's logits are computed anew from its whole text.

    among: of how many continuations the new beams are taken; 0: as many as it takes.
    """
    live: list[tuple[Tensor, list[int]]] = [(weights.new_zeros(()), [])]
    done: list[tuple[Tensor, list[int]]] = []
    moves: Moves = []
    moments: list[Moment] = []
    late: list[list[int]] = []
    gaps = [1.0]
    for length in range(1, max_tokens + 1):
        logits = toy_logits(weights, [prompt + text for _, text in live])
        score, beam, token = all_continuations(torch.stack([s for s, _ in live]), logits, among or 2 * n_beams + 1)
        gaps += (-score.diff()).tolist()
        scores, beams, tokens = score.unbind(), beam.tolist(), token.tolist()
        goes_on: list[int] = []
        ended: list[int] = []
        passed_over: list[float] = []
        others = 0
        for i, last in enumerate(tokens):
            if others == n_beams:
                passed_over += [float(scores[i]) / length**alpha] * (last == end and i < 2 * n_beams)
                continue
            others += last != end
            if last == end or length == max_tokens:
                done.append((scores[i] / length**alpha, live[beams[i]][1] + [last]))
                late += [done[-1][1]] * (last == end and i >= n_beams)
                ended.append(i)
            else:
                goes_on.append(i)
        done = sorted(done, key=lambda answer: -float(answer[0]))
        gaps += [float(a[0] - b[0]) for a, b in pairwise(done[: n_beams + 1])]
        done = done[:n_beams]
        if not goes_on:
            break
        if len(done) == n_beams:
            bound = scores[goes_on[0]] / max_tokens**alpha
            gaps.append(abs(float(bound - done[-1][0])))
            if bound <= done[-1][0]:
                break
        ends = [beams[i] for i in ended], [tokens[i] for i in ended]
        moments.append(Moment(length, float(scores[goes_on[0]]), [float(s) for s, _ in done], passed_over, ends))
        moves.append(([beams[i] for i in goes_on], [tokens[i] for i in goes_on]))
        live = [(scores[i], live[beams[i]][1] + [tokens[i]]) for i in goes_on]
    return Search([score for score, _ in done], [text for _, text in done], moves, moments, min(gaps), late)


def searched_by(given: dict[str, Any], among: int = 0) -> Search:
    """The search that the arguments of a case ask for."""
    told = {name: given[name] for name in ("prompt", "n_beams", "end", "max_tokens", "alpha")}
    return search(torch.from_numpy(given["model"]).double(), **told, among=among)


def searched(
    model: Tensor, prompt: list[int], n_beams: int, end: int, max_tokens: int, alpha: float, **room: int
) -> tuple[Tensor, Tensor]:
    found = search(model, prompt, n_beams, end, max_tokens, alpha)
    rows = [text + [-1] * (max_tokens - len(text)) for text in found.texts]
    return torch.tensor(found.scores, dtype=model.dtype), torch.tensor(rows).long().reshape(-1, max_tokens)
