"""The next token, filtered and drawn; answers that share their blocks; beam search."""

from __future__ import annotations

import string
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import Any

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor

from autograder.exercises.draws import NO_HEADS_YET, Draw, drawn
from autograder.exercises.online_softmax import (
    Rows,
    chunked,
    falling,
    far_below,
    jump,
    masked,
    nearly_masked,
    outlier,
    rising,
    rows_of,
    spread,
    widest,
)
from autograder.runner.arrays import Stream
from autograder.runner.play import Step
from autograder.spec.exercise import Arguments, Budget, Case, Exercise, Output, Quantity, Question, Tolerance, once
from kernels import sampling
from kernels.sampling import NoSuchAnswer, OutOfBlocks

TRIES = 1000  # at inputs on which rounding decides nothing


def redrawn(draw: Draw, is_clear: Callable[[Arguments], bool]) -> Draw:
    """The first arguments that are clear: no right answer in float32 may fall on the other side of a decision."""

    def clear(rng: Generator) -> Arguments:
        return next(given for given in (draw(rng) for _ in range(TRIES)) if is_clear(given))

    return clear


# ---- the filter -----------------------------------------------------------------------------------------------------


def kept(chunks: Stream, temperature: float, k: int, p: float) -> tuple[Tensor, Tensor]:
    """With the whole row at once."""
    x = torch.cat(list(chunks), dim=1)
    x = torch.nn.functional.pad(x, (0, max(0, k - x.shape[1])), value=-torch.inf)
    best, index = (part[:, :k] for part in x.sort(dim=1, descending=True, stable=True))
    if temperature == 0:
        best[:, 1:] = -torch.inf
    share = shares(best, temperature or 1.0)
    stays = ~torch.isneginf(best) & ((share.cumsum(1) - share < p) | (p >= 1))
    return shares(torch.where(stays, best, -torch.inf), temperature or 1.0), torch.where(stays, index, -1)


def shares(x: Tensor, temperature: float) -> Tensor:
    """Softmax of x / temperature along the rows; 0 where all is masked. x: the largest of each row is its first."""
    top = x[:, :1]
    weight = torch.where(torch.isneginf(x), 0, torch.exp((x - torch.where(torch.isneginf(top), 0, top)) / temperature))
    return weight / weight.sum(1, keepdim=True).clip(min=1)


def next_token(make: Rows, *widths: int, temperature: float = 1.0, k: int, p: float = 1.0, transposed=False) -> Draw:
    """Rows of logits in chunks; no sum of probabilities that decides is near p."""

    def draw(rng: Generator) -> Arguments:
        return chunked(make, *widths, transposed=transposed)(rng) | {"temperature": temperature, "k": k, "p": p}

    return redrawn(draw, is_far_from_p)


def is_far_from_p(a: Arguments) -> bool:
    if a["p"] >= 1:
        return True
    x = -np.sort(-np.concatenate(a["chunks"].again(), axis=1).astype(np.float64), axis=1)[:, : a["k"]]
    share = shares(torch.from_numpy(x), a["temperature"] or 1.0).numpy()
    before = np.cumsum(share, axis=1) - share
    return bool((abs(before[:, 1:] - a["p"]) > 1e-4).all())


@drawn
def equal_shares(rng: Generator, /, **rest: float) -> Arguments:
    """Four tokens of each row, in any columns, are equally likely and the others masked: all sums are exact."""
    x = np.where(rng.permuted(np.tile(np.arange(12) < 4, (3, 1)), axis=1), rng.integers(-3, 4, (3, 1)), -np.inf)
    return chunked(lambda _: x.astype(np.float32), 5, 5, 2)(rng) | rest


@drawn
def levels(rng: Generator, /, rows: int, n: int, apart: float = 1.0) -> np.ndarray:
    """Each logit is one of five numbers, so that most have equals."""
    return apart * rng.integers(-2, 3, (rows, n)).astype(np.float32)


@drawn
def uneven(rng: Generator, /, rows: int, chunks: int, widest: int, **rest: float) -> Arguments:
    """Chunks whose widths the seed chooses."""
    widths = rng.integers(widest // 5, widest + 1, chunks)
    return chunked(spread(rows, int(widths.sum())), *widths)(rng) | rest


ORDER = "the three largest have a sum of 1 before p = 0.75 is asked for"
HALF = "four tokens are equally likely: before the third the sum is 0.5, which is not below p = 0.5"
GREEDY = "temperature 0: of equal largest ones the first token stays, with probability 1"
FREEZING = "temperature 1e-37: logits over it overflow; equal largest ones share, whatever their token"
TAIL = "p = 1 cuts nothing, though rounded sums arrive at 1 long before the last token"
TIES = "most logits have equals, within a chunk and across chunks"
UNDERFLOW = "one logit lies 200 above the rest, whose probabilities underflow to 0; p = 1"
UNEVEN = "32 rows in 96 chunks, each of another width, which must not be kept"

FILTERED = [
    Case("plain", "two rows of six logits in two chunks", next_token(spread(2, 6, -2, 2), 3, 3, k=4, p=0.8)),
    Case("single", "a single logit", next_token(spread(1, 1), 1, k=1, p=0.5), ("single",)),
    Case("cooler", "temperature 0.5", next_token(spread(4, 16), 8, 8, temperature=0.5, k=5)),
    Case("hotter", "temperature 2, and p = 0.7", next_token(spread(4, 16), 8, 8, temperature=2.0, k=12, p=0.7)),
    Case("k-alone", "k = 3, and p = 1", next_token(spread(4, 16), 6, 10, k=3)),
    Case("p-alone", "p = 0.6, and k is all tokens", next_token(spread(4, 16, -1, 1), 6, 10, k=16, p=0.6)),
    Case("k-then-p", ORDER, next_token(spread(6, 16, -1, 1), 8, 8, k=3, p=0.75)),
    Case("small-p", "p = 0.00001: the likeliest token stays", next_token(spread(3, 9), 4, 5, k=5, p=1e-5)),
    Case("exact-half", HALF, equal_shares(temperature=1.0, k=6, p=0.5)),
    Case("ties", TIES, next_token(levels(6, 40), 8, 8, 8, 16, k=9, p=0.95)),
    Case("greedy", GREEDY, next_token(levels(6, 24), 8, 8, 8, temperature=0.0, k=4, p=0.9)),
    Case("freezing", FREEZING, next_token(levels(6, 24, 100), 8, 8, 8, temperature=1e-37, k=9)),
    Case("whole-tail", TAIL, next_token(spread(3, 60, -40, 10), 30, 30, k=60)),
    Case(
        "ragged",
        "the last chunk is ragged: 37 = 16 + 16 + 5",
        next_token(spread(5, 37), 16, 16, 5, k=6, p=0.9),
        ("ragged",),
    ),
    Case(
        "rising",
        "the maximum grows in every chunk",
        next_token(rising(5, 64, 0.1), *[8] * 8, k=5, p=0.7),
        ("rising max",),
    ),
    Case("falling", "the largest lie in the first chunk", next_token(falling(5, 32, 0.1), *[8] * 4, k=5, p=0.7)),
    Case("widening", "chunks of 3, 7 and 20 columns", next_token(spread(4, 30), 3, 7, 20, k=4, p=0.9)),
    Case("k-over-chunk", "k = 7 is wider than a chunk", next_token(spread(3, 12), *[2] * 6, k=7, p=0.95)),
    Case("k-over-row", "k = 8, but there are five tokens", next_token(spread(3, 5), 3, 2, k=8, p=0.95)),
    Case(
        "strided", "transposed views", next_token(spread(6, 24), 10, 10, 4, k=4, p=0.9, transposed=True), ("strided",)
    ),
    Case(
        "large-positive",
        "logits around +200",
        next_token(spread(4, 65, 150, 250), 32, 32, 1, temperature=9.0, k=9, p=0.9),
        ("large positive",),
    ),
    Case(
        "very-negative",
        "logits from -300 down to -400000, with masked ones beside the lowest",
        next_token(far_below(5, 65, 4e5), 32, 32, 1, k=3, p=0.9),
        ("very negative",),
    ),
    Case(
        "jump",
        "in the middle of the row the logits rise by 800",
        next_token(jump(3, 20), 5, 5, 5, 5, temperature=3.0, k=12),
    ),
    Case("outlier", UNDERFLOW, next_token(outlier(4, 30, ties=False), 10, 10, 10, k=5), ("large positive",)),
    Case("partly-masked", "a third of the tokens are masked", next_token(masked(6, 40), *[10] * 4, k=6, p=0.9)),
    Case(
        "few-unmasked",
        "k = 6, but only four tokens of each row are not masked",
        next_token(nearly_masked(4, 30, 4), 10, 10, 10, k=6),
    ),
    Case(
        "fully-masked",
        "two rows are fully masked",
        next_token(masked(4, 20, full=(1, 3)), 8, 8, 4, k=3),
        ("masked row",),
    ),
    Case(
        "fully-masked-greedy",
        "two rows are fully masked, temperature 0",
        next_token(masked(4, 20, full=(1, 3)), 8, 8, 4, temperature=0.0, k=3, p=0.9),
    ),
    Case(
        "many-chunks",
        "96 chunks of (32, 8), which must not be kept",
        next_token(spread(32, 768), *[8] * 96, temperature=0.7, k=4),
        budget=True,
    ),
    Case("uneven-chunks", UNEVEN, uneven(32, 96, 12, temperature=1.5, k=4, p=1.0), ("ragged",)),
]

# ---- the draw -------------------------------------------------------------------------------------------------------


def drawn_tokens(p: Tensor, index: Tensor, u: Tensor) -> Tensor:
    """Slot by slot."""
    found = torch.full_like(u, -1, dtype=torch.int64)
    for row in range(len(p)):
        total = 0.0
        for share, token in zip(p[row].tolist(), index[row].tolist()):
            if share > 0 and total <= u[row]:  # the last one that is likely at all, if rounding leaves none
                found[row] = token
            total += share
    return found


@drawn
def rows_to_draw(
    rng: Generator, /, rows: int, k: int, empty: int = 0, masked: tuple[int, ...] = (), alike=False, views=False
) -> Arguments:  # fmt: skip
    """p in any order, `empty` slots of each row 0, the rows `masked` all 0. u is not near a sum of a row.

    alike: all rows are the same. views: p is a transposed view, and index every other column of a wider one.
    """
    p = rng.exponential(1, (1 if alike else rows, k)) + 0.05
    p[:, :empty] = 0
    p = np.broadcast_to(rng.permuted(p, axis=1), (rows, k)).copy()
    p = (p / p.sum(1, keepdims=True)).astype(np.float32)
    p[list(masked)] = 0
    index = rng.permuted(np.tile(np.arange(3 * k), (rows, 1)), axis=1)[:, :k].copy()
    u = np.array([clear_of(rng, np.cumsum(row.astype(np.float64))) for row in p], np.float32)
    if views:
        return {"p": np.asfortranarray(p), "index": np.repeat(index, 2, axis=1)[:, ::2], "u": u}
    return {"p": p, "index": index, "u": u}


def one_row_to_draw(k: int) -> Draw:
    """A batch of one, whose likeliest token is not the one that is drawn."""

    def is_not_greedy(a: Arguments) -> bool:
        (slot,) = (np.cumsum(a["p"], axis=1) <= a["u"][:, None]).sum(axis=1)
        return bool(slot != a["p"][0].argmax())

    return redrawn(rows_to_draw(1, k), is_not_greedy)


def clear_of(rng: Generator, sums: np.ndarray) -> float:
    return next(u for u in rng.random(TRIES) if abs(sums - u).min() > 1e-5 and u < 0.9999)


@drawn
def at_the_sums(rng: Generator, /, empty: int = 0) -> Arguments:
    """Four slots of a quarter each behind `empty` ones; the random numbers are the sums themselves, and 0."""
    k = empty + 4
    p = np.where(np.arange(k) < empty, 0, 0.25) * np.ones((4, 1))
    u = rng.permutation(np.arange(4) / 4)
    index = rng.permuted(np.tile(np.arange(3 * k), (4, 1)), axis=1)[:, :k].copy()
    return {"p": p.astype(np.float32), "index": index, "u": u.astype(np.float32)}


@drawn
def above_the_sum(rng: Generator, /) -> Arguments:
    """The probabilities have, rounded, a sum of 1 - 2^-22; the random number is the largest below 1."""
    p = np.array([0.5, 0.25, 0.25 - 2**-22, 0, 0], np.float32)
    index = np.array([*rng.permutation(30)[:3], -1, -1])
    u = np.array([1 - 2**-24, rng.uniform(0.01, 0.49)], np.float32)
    return {"p": np.stack([p, p]), "index": np.stack([index, index]), "u": u}


AT_SUMS = "four slots of a quarter each, and the random numbers are the sums: 0, 0.25, 0.5 and 0.75"
EMPTY_FIRST = "the same behind two slots of probability 0"
ABOVE = "the sum is rounded below 1, and the random number lies above it: the last slot that is not 0"
MANY_DRAWS = "600 draws from one distribution of eight tokens"
DRAWS = [
    Case("plain", "three rows of four", rows_to_draw(3, 4)),
    Case("single", "one token, with probability 1", rows_to_draw(1, 1), ("single",)),
    Case("one-row", "one row of nine, and the draw is not its likeliest token", one_row_to_draw(9)),
    Case("many-rows", "forty rows of nine, a random number each", rows_to_draw(40, 9)),
    Case("alike", MANY_DRAWS, rows_to_draw(600, 8, alike=True)),
    Case("at-the-sums", AT_SUMS, at_the_sums()),
    Case("empty-first", EMPTY_FIRST, at_the_sums(empty=2)),
    Case("above-the-sum", ABOVE, above_the_sum()),
    Case("empty-slots", "half of the slots have probability 0", rows_to_draw(20, 8, empty=4)),
    Case("masked-rows", "two rows are 0 throughout: -1", rows_to_draw(6, 4, masked=(1, 4)), ("masked row",)),
    Case("many-tokens", "a vocabulary of 1500", rows_to_draw(12, 1500)),
    Case("strided", "p is a transposed view, index every other column", rows_to_draw(9, 7, views=True), ("strided",)),
]
NO_LOGITS = dict.fromkeys(
    ("rising max", "large positive", "very negative"), "probabilities come in, and no exponential is taken"
)

# ---- answers that share their blocks --------------------------------------------------------------------------------


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


def watched(weights: np.ndarray, prompt: list[int], moves: Moves, block_size: int, spare: int = 0) -> Arguments:
    """An object's steps, after each of which the counts are looked at, and the table and tokens of each answer."""
    found: list[Step] = [("start", {"prompt": prompt}), *looked_at(1)]
    for parents, tokens in moves:
        found += [("grow", {"parents": parents, "tokens": tokens}), *looked_at(len(parents))]
    pool = blocks_needed(prompt, moves, block_size) + spare
    return {"init": {"model": weights, "n_blocks": pool, "block_size": block_size}, "steps": found}


def looked_at(answers: int) -> list[Step]:
    """One more than there are is asked for."""
    each = range(answers + 1)
    return [("counts", {}), *(("table", {"answer": i}) for i in each), *(("tokens", {"answer": i}) for i in each[:-1])]


@drawn
def grown(
    rng: Generator, /, steps: str, prompt: int | tuple[int, int], spare: int = 0, block_size: int = 4
) -> Arguments:
    """The steps, each a word of the parents' numbers: 000 takes answer 0 three times, - ends all.

    prompt: its tokens, or (r, most): a number with the remainder r by the block size, of at most so many blocks.
    spare: blocks of the pool that nobody needs.
    """
    vocabulary = 5
    n = prompt if isinstance(prompt, int) else prompt[0] + block_size * int(rng.integers(1, prompt[1] + 1))
    weights, text = toy_weights(rng, vocabulary), rng.integers(vocabulary, size=n).tolist()
    parents = [[string.hexdigits.index(letter) for letter in word.strip("-")] for word in steps.split()]
    moves = [(word, rng.integers(vocabulary, size=len(word)).tolist()) for word in parents]
    return watched(weights, text, moves, block_size, spare)


@drawn
def random_moves(rng: Generator, /, steps: int, most: int, block_size: int = 3) -> Arguments:
    """Up to `most` answers, whose parents and tokens are drawn at every step."""
    vocabulary, there, moves = 6, 1, []
    for _ in range(steps):
        n = int(rng.integers(1, most + 1))
        moves.append((rng.integers(there, size=n).tolist(), rng.integers(vocabulary, size=n).tolist()))
        there = n
    prompt = rng.integers(vocabulary, size=int(rng.integers(1, 12))).tolist()
    return watched(toy_weights(rng, vocabulary), prompt, moves, block_size)


@drawn
def beams_move(rng: Generator, /, n_beams: int, max_tokens: int) -> Arguments:
    """What a beam search asks for, in which beams fall out and change places."""
    for _ in range(TRIES):
        weights, prompt = toy_weights(rng, 5), rng.integers(5, size=int(rng.integers(5, 8))).tolist()
        found = search(torch.from_numpy(weights).double(), prompt, n_beams, 0, max_tokens, 1.0)
        moves = found.moves
        orders = {tuple(parents) for parents, _ in moves[1:]}
        if len(moves) == max_tokens - 1 and len(orders) > 3 and falls_out({}, found):
            return watched(weights, prompt, moves, 4)
    raise AssertionError("no search was found in which beams fall out")


THREE = "a prompt of six tokens in blocks of four; three answers begin, and grow once more"
FULL = "the prompt fills its blocks: nothing is copied"
ENDS = "answers end one after another, and then all"
LOSER = "of three answers one has two successors, and one none"
ROOM = "the block that an answer without successor gives back is needed in the same step"
CROSSED = "the successors stand in another order than the answers that they continue"
APART = "two successors of one answer stand apart, with one of another between them"
AGAIN = "all but one fall out, and that one has four successors"
LONG = "a prompt of some 50 tokens, and six answers: the pool has no room for copies"
BEAMS = "three beams of a search move"
LACKING = "the second of two answers finds no block: neither token is written, and one goes on by itself"
ANSWERS = [
    Case("plain", THREE, grown("000 012", prompt=6)),
    Case("single", "one answer to a prompt of one token", grown("0", prompt=1), ("single",)),
    Case("token-by-token", "one answer of nine tokens", grown("0 " * 9, (2, 3)), ("ragged",)),
    Case("full-blocks", FULL, grown("000 012", (0, 3), spare=2)),
    Case("ends", ENDS, grown("0000 0123 013 02 1 0 -", (2, 3))),
    Case("falls-out", LOSER, grown("000 002 012", (1, 3), spare=1)),
    Case("no-room-to-spare", ROOM, grown("000 012 002 012 001 012", (3, 4))),
    Case("crossed", CROSSED, grown("000 210 120 201", (2, 3))),
    Case("apart", APART, grown("00 010 202 110", (2, 3))),
    Case("one-wins", AGAIN, grown("000 012 2222 0123 3333", (3, 3))),
    Case("out-of-blocks", LACKING, grown("00 01 01 01 01 0 0", (1, 3), spare=-1)),
    Case("blocks-of-one", "blocks of one token", grown("00 01 110 02", 3, block_size=1)),
    Case("beams", BEAMS, beams_move(3, 7)),
    Case("long-prompt", LONG, grown("000000 012345 001122 543210", (1, 13))),
    Case("random-small", "twelve steps, at most three answers", random_moves(12, 3)),
    Case("random-large", "ten steps, at most six answers, blocks of five", random_moves(10, 6, block_size=5)),
]

# ---- beam search ----------------------------------------------------------------------------------------------------


def all_continuations(scores: Tensor, logits: Tensor, n: int) -> tuple[Tensor, Tensor, Tensor]:
    """Each by itself, then sorted."""
    found = []
    for beam, (score, row) in enumerate(zip(scores, logits)):
        shifted = row - row.max()
        total = score + (shifted - shifted.exp().sum().log())
        found += [(total[token], beam, token) for token in (row > -torch.inf).nonzero().flatten().tolist()]
    found = sorted(found, key=lambda each: -float(each[0]))[:n]
    score = torch.stack([each[0] for each in found]) if found else scores[:0]
    return score, torch.tensor([each[1] for each in found]).long(), torch.tensor([each[2] for each in found]).long()


@drawn
def beams(
    rng: Generator, /, n_beams: int, vocabulary: int, n: int, level=0.0, size: float = 2.0, masked: float = 0.0,
    empty: tuple[int, ...] = (), views=False,
) -> Arguments:  # fmt: skip
    """Beams in descending order, and logits around `level`, a share of them `masked`, and the beams `empty` wholly."""
    scores = -np.sort(rng.uniform(0.1, 3, n_beams))
    x = size * rng.standard_normal((n_beams, vocabulary)) + np.reshape(level, (-1, 1))
    x[rng.random(x.shape) < masked] = -np.inf
    x[list(empty)] = -np.inf
    x = x.astype(np.float32)
    return {"scores": scores.astype(np.float32), "logits": np.asfortranarray(x) if views else x, "n": n}


def clear_beams(n_beams: int, vocabulary: int, n: int, gap: float = 1e-3, **rest: Any) -> Draw:
    """No two of the scores that are compared are nearly alike."""

    def is_clear(a: Arguments) -> bool:
        given = torch.from_numpy(a["scores"]).double(), torch.from_numpy(a["logits"]).double()
        return bool((-all_continuations(*given, a["n"] + 1)[0].diff() > gap).all())

    return redrawn(beams(n_beams, vocabulary, n, **rest), is_clear)


@drawn
def twins(rng: Generator, /, n_beams: int, vocabulary: int, n: int) -> Arguments:
    """Beams with equal scores and the same logits, most of which are equal too."""
    row = rng.permuted(np.arange(vocabulary) // 4).astype(np.float32)
    return {"scores": np.full(n_beams, -1.5, np.float32), "logits": np.tile(row, (n_beams, 1)), "n": n}


@drawn
def near_beams(rng: Generator, /, n_beams: int, vocabulary: int) -> Arguments:
    """Beams of long texts, and logits that hardly differ, but for those that are far behind."""
    scores = -100 - np.sort(rng.uniform(0, 0.02, n_beams))
    x = np.where(rng.random((n_beams, vocabulary)) < 0.3, 0.02 * rng.standard_normal((n_beams, vocabulary)), -9)
    return {"scores": scores.astype(np.float32), "logits": x.astype(np.float32), "n": 6}


def are_near(a: Arguments) -> bool:
    """In float32 the best are told apart, in 16 bits they are not."""
    given = torch.from_numpy(a["scores"]).double(), torch.from_numpy(a["logits"]).double()
    score, *_ = all_continuations(*given, a["n"] + 1)
    beam = torch.log_softmax(given[1], dim=1) + given[0][:, None]
    halves = torch.sort(beam.half().flatten(), descending=True, stable=True).indices[: a["n"]]
    exact = torch.sort(beam.flatten(), descending=True, stable=True).indices[: a["n"]]
    return bool((-score.diff() > 2e-4).all()) and not torch.equal(halves, exact)


NEAR = "long texts: scores of about -100, and the best differ by less than a tenth"
UNLIKE = "the logits of one beam lie 100 above those of another: what counts is their softmax"
TWINS = "three beams are equally likely, with the same logits, and tokens are equally likely too"
FEW = "nine are asked for, and four may follow"
BEST = [
    Case("plain", "two beams, four tokens, the best three", clear_beams(2, 4, 3)),
    Case("single", "one beam, one token", clear_beams(1, 1, 1), ("single",)),
    Case("one-beam", "the first step: one beam", clear_beams(1, 12, 6)),
    Case("many", "five beams, 50 tokens, the best ten", clear_beams(5, 50, 10)),
    Case("all", "as many as there are", clear_beams(3, 4, 12, gap=1e-4)),
    Case("unlike-levels", UNLIKE, clear_beams(3, 20, 8, level=[100, 0, 50])),
    Case("ties", TWINS, twins(3, 20, 14)),
    Case("near", NEAR, redrawn(near_beams(3, 20), are_near)),
    Case(
        "large-positive",
        "logits around +200, where exp overflows",
        clear_beams(3, 20, 6, level=200),
        ("large positive",),
    ),
    Case("very-negative", "logits around -1000", clear_beams(3, 20, 6, level=-1000, gap=1e-2), ("very negative",)),
    Case("partly-masked", "half of the tokens must not follow", clear_beams(3, 20, 8, masked=0.5)),
    Case("masked-beam", "no token may follow two of the beams", clear_beams(4, 12, 6, empty=(0, 2)), ("masked row",)),
    Case("few", FEW, clear_beams(3, 4, 9, empty=(0, 1), gap=1e-4)),
    Case("strided", "logits are a transposed view", clear_beams(4, 30, 8, views=True), ("strided",)),
]


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
    that decided something.
    """

    scores: list[Tensor]
    texts: list[list[int]]
    moves: Moves
    moments: list[Moment]
    margin: float


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
    gaps = [1.0]
    for length in range(1, max_tokens + 1):
        logits = toy_logits(weights, [prompt + text for _, text in live])
        score, beam, token = all_continuations(torch.stack([s for s, _ in live]), logits, among or 2 * n_beams + 1)
        gaps += (-score.diff()).tolist()
        goes_on: list[int] = []
        ended: list[int] = []
        passed_over: list[float] = []
        others = 0
        for i in range(len(score)):
            if others == n_beams:
                passed_over += [float(score[i]) / length**alpha] * bool(token[i] == end and i < 2 * n_beams)
                continue
            others += int(token[i] != end)
            if token[i] == end or length == max_tokens:
                done.append((score[i] / length**alpha, live[int(beam[i])][1] + [int(token[i])]))
                ended.append(i)
            else:
                goes_on.append(i)
        done = sorted(done, key=lambda answer: -float(answer[0]))
        gaps += [float(a[0] - b[0]) for a, b in pairwise(done[: n_beams + 1])]
        done = done[:n_beams]
        if not goes_on:
            break
        if len(done) == n_beams:
            bound = score[goes_on[0]] / max_tokens**alpha
            gaps.append(abs(float(bound - done[-1][0])))
            if bound <= done[-1][0]:
                break
        ends = beam[ended].tolist(), token[ended].tolist()
        moments.append(Moment(length, float(score[goes_on[0]]), [float(s) for s, _ in done], passed_over, ends))
        moves.append((beam[goes_on].tolist(), token[goes_on].tolist()))
        live = [(score[i], live[int(beam[i])][1] + [int(token[i])]) for i in goes_on]
    return Search([score for score, _ in done], [text for _, text in done], moves, moments, min(gaps))


def searched_by(given: Arguments, among: int = 0) -> Search:
    """The search that the arguments of a case ask for."""
    told = {name: given[name] for name in ("prompt", "n_beams", "end", "max_tokens", "alpha")}
    return search(torch.from_numpy(given["model"]).double(), **told, among=among)


def searched(
    model: Tensor, prompt: list[int], n_beams: int, end: int, max_tokens: int, alpha: float, **room: int
) -> tuple[Tensor, Tensor]:
    found = search(model, prompt, n_beams, end, max_tokens, alpha)
    rows = [text + [-1] * (max_tokens - len(text)) for text in found.texts]
    return torch.tensor(found.scores, dtype=model.dtype), torch.tensor(rows).long().reshape(-1, max_tokens)


Wanted = Callable[[Arguments, Search], bool]


@drawn
def searches(
    rng: Generator, /, n_beams: int, vocabulary: int, max_tokens: int, alpha: float = 1.0, wanted: Wanted | None = None,
    ends: float = 0.0, masked: float = 0.0, block_size: int = 4, spare: int = 99, prompt: tuple[int, int] = (2, 9),
) -> Arguments:  # fmt: skip
    """A search that no rounding decides, in a pool that has `spare` blocks more than it needs.

    ends: added to the logits of the token that ends an answer, which is any. masked: the share of other weights that
    are -inf. wanted: what has to be so.
    """
    for _ in range(TRIES):
        weights, end = toy_weights(rng, vocabulary), int(rng.integers(vocabulary))
        weights[rng.random(weights.shape) < masked] = -np.inf
        weights[:, end] = toy_weights(rng, vocabulary)[:, end] + ends / 2  # twice that, summed over a text
        given = {
            "model": weights,
            "prompt": rng.integers(vocabulary, size=int(rng.integers(*prompt))).tolist(),
            "n_beams": n_beams,
            "end": end,
            "max_tokens": max_tokens,
            "alpha": alpha,
        }
        found = searched_by(given)
        if found.margin > 1e-3 and (wanted is None or wanted(given, found)):
            pool = blocks_needed(given["prompt"], found.moves, block_size) + spare
            return given | {"n_blocks": pool, "block_size": block_size}
    raise AssertionError("no search was found that is as wanted")


@drawn
def dead_end(rng: Generator, /) -> Arguments:
    """No token may follow the prompt's last one."""
    given = searches(2, 5, 4)(rng)
    given["model"][given["prompt"][-1]] = -np.inf
    return given


@drawn
def twin_searches(rng: Generator, /, n_beams: int, max_tokens: int) -> Arguments:
    """Of six tokens each has a twin: their logits are the same, and so is all that follows them."""
    for _ in range(TRIES):
        weights = np.repeat(np.repeat(toy_weights(rng, 3), 2, axis=0), 2, axis=1)
        end = int(rng.integers(6))
        prompt = rng.integers(6, size=5).tolist()
        found = search(torch.from_numpy(weights).double(), prompt, n_beams, end, max_tokens, 1.0)
        apart = search(torch.from_numpy(weights).double() + 1e-9 * torch.rand(6), prompt, n_beams, end, max_tokens, 1.0)
        if len(found.moves) > 2 and apart.margin > 0:
            pool = blocks_needed(prompt, found.moves, 4)
            given = {"prompt": prompt, "n_beams": n_beams, "end": end, "max_tokens": max_tokens, "alpha": 1.0}
            return {"model": weights} | given | {"n_blocks": pool, "block_size": 4}
    raise AssertionError("no search was found among twins")


def lengths(found: Search) -> list[int]:
    return [len(text) for text in found.texts]


def falls_out(given: Arguments, found: Search) -> bool:
    """A beam that has no successor, while another has two."""
    return any(len(set(parents)) < len(parents) for parents, _ in found.moves[1:])


def stops_early(given: Arguments, found: Search) -> bool:
    """By the bound, some steps after there were enough answers, and long before max_tokens."""
    steps = len(found.moves)
    return 3 < steps < given["max_tokens"] // 8 and max(lengths(found)) < steps + 1 and falls_out(given, found)


def ends_many(given: Arguments, found: Search) -> bool:
    """So many continuations end that other answers are found if only the n_beams likeliest are looked at."""
    return searched_by(given, given["n_beams"]).texts != found.texts and max(lengths(found)) > 2


def ends_behind(given: Arguments, found: Search) -> bool:
    """A continuation that ends behind the last new beam would have been among the best."""
    return any(score > float(found.scores[-1]) for moment in found.moments for score in moment.passed_over)


def ends_take_room(given: Arguments, found: Search) -> bool:
    """If answers that end were grown too, more blocks would be held than there are."""
    ends = [moment.ended for moment in found.moments]
    with_ends = [(a + c, b + d) for (a, b), (c, d) in zip(found.moves, ends, strict=True)]
    return blocks_needed(given["prompt"], with_ends, 4) > blocks_needed(given["prompt"], found.moves, 4)


def misleads(given: Arguments, found: Search) -> bool:
    """Each of three wrong rules ends the search before all of the best answers are finished, and each elsewhere."""
    n, most, alpha = given["n_beams"], given["max_tokens"], given["alpha"]
    full = [moment for moment in found.moments if len(moment.finished) == n]
    by_present = [m for m in full if m.beam / m.length**alpha <= m.finished[-1]]
    by_the_best = [m for m in full if m.beam / most**alpha <= m.finished[0]]
    ends = {tuple(rule[0].finished) for rule in (full, by_present, by_the_best) if rule}
    return len(ends - {tuple(map(float, found.scores))}) == 3


def of_many_lengths(given: Arguments, found: Search) -> bool:
    """Normalised and not, other answers are the best ones."""
    plain = searched_by(given | {"alpha": 0.0})
    return plain.texts[0] != found.texts[0] and len(set(lengths(found))) > 1 and falls_out(given, found)


GREEDY_SEARCH = "one beam: the likeliest token at every step"
EXHAUSTIVE = "40 beams, four tokens, answers of at most three: every answer is looked at"
NORMALISED = "alpha = 1: per token another answer is the best than without"
STOPS = "the search is over long before max_tokens"
ENDS_BEHIND = "a continuation ends that is likely, but less so than the last new beam: it is not looked at"
GOES_ON = "there are enough answers, and a beam that is worse per token than all of them becomes better"
MANY_END = "several continuations of one step end"
FORBIDDEN_TOKENS = "a third of all pairs of tokens must not follow each other"
CUT = "no answer ends by itself before max_tokens"
NO_ROOM_FOR_ENDS = "answers end beside beams that go on, and the pool has no block for them"
NO_ROOM = "the pool has no block for a beam that has fallen out"
SEARCHES = [
    Case("plain", "two beams, four tokens, answers of at most four", searches(2, 4, 4, wanted=falls_out)),
    Case("single", "one beam, one step", searches(1, 3, 1), ("single",)),
    Case("greedy", GREEDY_SEARCH, searches(1, 6, 8, ends=-2.0)),
    Case("exhaustive", EXHAUSTIVE, searches(40, 4, 3, alpha=0.7)),
    Case("sum", "alpha = 0: the sums of the log-probabilities", searches(3, 6, 7, alpha=0.0, wanted=falls_out)),
    Case("normalised", NORMALISED, searches(3, 6, 7, alpha=1.0, wanted=of_many_lengths)),
    Case("half", "alpha = 0.5", searches(4, 6, 6, alpha=0.5, wanted=of_many_lengths)),
    Case("ends-behind", ENDS_BEHIND, searches(2, 6, 6, ends=1.0, wanted=ends_behind)),
    Case("goes-on", GOES_ON, searches(2, 6, 12, alpha=1.5, ends=2.0, wanted=misleads)),
    Case("many-end", MANY_END, searches(3, 6, 8, ends=1.0, wanted=ends_many)),
    Case("stops", STOPS, searches(3, 6, 80, alpha=0.5, ends=0.5, wanted=stops_early), budget=True),
    Case("cut", CUT, searches(3, 6, 6, ends=-9.0, wanted=falls_out), ("ragged",)),
    Case("no-room", NO_ROOM, searches(4, 8, 9, ends=-3.0, wanted=falls_out, block_size=2, spare=0, prompt=(20, 30))),
    Case("no-room-for-ends", NO_ROOM_FOR_ENDS, searches(3, 6, 8, ends=1.0, wanted=ends_take_room, spare=0)),
    Case("masked", FORBIDDEN_TOKENS, searches(3, 8, 6, masked=0.3, prompt=(1, 2)), ("masked row",)),
    Case("dead-end", "no token may follow the prompt, so there is no answer", dead_end(), ("masked row",)),
    Case("ties", "every token has a twin, and everything is a tie", twin_searches(3, 5)),
]

LOGITS_ARE_ELSEWHERE = dict.fromkeys(
    ("rising max", "large positive", "very negative"), "what is done with logits is asked in best_continuations"
)
TOKEN = (Output("token", dtype="int64", exact=True),)
PLACES = (Output("beam", dtype="int64", exact=True), Output("token", dtype="int64", exact=True))

EXERCISES = [
    Exercise(
        function=sampling.filtered,
        tolerance=Tolerance(known_like=0),
        oracle=kept,
        outputs=(Output("p"), Output("index", dtype="int64", exact=True)),
        points=3,
        budget=Budget(
            is_the_point=True,
            memory=lambda a: 80 * rows_of(a) * a["k"] + 24 * widest(a) + 24_000,
            memory_is="80 B for each of the R x k results, 24 chunks, and 24 kB",
        ),
        cases=FILTERED,
        without=NO_HEADS_YET,
    ),
    Exercise(
        function=sampling.draw,
        oracle=drawn_tokens,
        outputs=TOKEN,
        points=2,
        cases=DRAWS,
        without=NO_HEADS_YET | NO_LOGITS | {"ragged": "there is no tile"},
    ),
    Exercise(
        function=sampling.Answers,
        oracle=AnswersModel,
        outputs=(),
        methods={
            "start": (Output("logits"),),
            "grow": (Output("logits"),),
            "table": (Output("table", "int32", exact=True),),
            "tokens": (Output("tokens", "int64", exact=True),),
            "counts": (Output("counts", "int64", exact=True),),
        },
        errors=("NoSuchAnswer", "OutOfBlocks", "WrongSequence"),
        points=3,
        backend="torch",
        cases=ANSWERS,
        without=NO_HEADS_YET
        | LOGITS_ARE_ELSEWHERE
        | {"masked row": "nothing is masked here", "strided": "lists of numbers come in"},
    ),
    Exercise(
        function=sampling.best_continuations,
        oracle=all_continuations,
        outputs=(Output("score"), *PLACES),
        points=2,
        backend="torch",
        cases=BEST,
        without=NO_HEADS_YET | {"ragged": "there is no tile", "rising max": "a row is seen as a whole"},
    ),
    Exercise(
        function=sampling.beam_search,
        oracle=searched,
        outputs=(Output("scores"), Output("tokens", dtype="int64", exact=True)),
        points=4,
        backend="torch",
        cases=SEARCHES,
        calls={"Answers": once, "Answers.grow": lambda a: len(searched_by(a).moves)},
        budget=Budget(
            operators=lambda a: 1000 * (1 + len(searched_by(a).moves)),
            operators_are="1000 for each step until nothing better can come",
        ),
        without=NO_HEADS_YET | LOGITS_ARE_ELSEWHERE | {"strided": "the model's weights are not looked at"},
    ),
]

QUESTIONS = [
    Question(
        name="odds_at_half_the_temperature",
        ask="One token is four times as likely as another. How many times is it at temperature 0.5?",
        answer=Quantity(16, "times"),
        why="Logits over T are exponents of the probabilities: p^(1/T), and 4^2 = 16.",
    ),
    Question(
        name="blocks_of_one_prompt",
        ask="A prompt of 200 tokens in blocks of 16, six answers of 56 tokens. What share of the blocks that six "
        "separate copies would take is saved by sharing when all are written?",
        answer=Quantity(60 / 96, "of the blocks", rel=0.01),
        why="Copies take 6 * 256 / 16 = 96 blocks. Of a prompt of 200 tokens 12 blocks are full, which are shared; its "
        "last 8 tokens stand in each answer's own first block: 12 + 6 * 4 = 36 blocks. Saved: 60 of 96, or 62.5 %.",
    ),
    Question(
        name="continuations_looked_at",
        ask="A vocabulary of 10 tokens and answers of exactly four. All answers are 10^4. How many continuations does "
        "a search with three beams compare, over its four steps?",
        answer=Quantity(100, "continuations"),
        why="At the first step there is one beam, the empty one, with 10 continuations; at each of the other three, "
        "three beams with 10 each: 10 + 3 * 30 = 100.",
    ),
]
