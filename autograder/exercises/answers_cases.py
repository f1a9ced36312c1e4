"""Answers that share their blocks, continuations, and searches: their situations."""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.random import Generator

from autograder.exercises.draws import TRIES, Draw, drawn, metered, redrawn
from autograder.runner.play import Step
from autograder.spec.exercise import Arguments, Case
from kernels.oracles.answers import Moves, Search, all_continuations, blocks_needed, search, searched_by, toy_weights


def watched(weights: np.ndarray, prompt: list[int], moves: Moves, block_size: int, spare: int = 0) -> Arguments:
    """An object's steps, after each of which the counts are looked at, and the table and tokens of each answer."""
    found: list[Step] = [("start", {"prompt": prompt}), *looked_at(1)]
    for parents, tokens in moves:
        found += [("grow", {"parents": parents, "tokens": tokens}), *looked_at(len(parents))]
    pool = blocks_needed(prompt, moves, block_size) + spare
    return {"init": {"model": weights, "n_blocks": pool, "block_size": block_size}, "steps": found}


def looked_at(answers: int) -> list[Step]:
    """The counts, the tokens of each answer, and its table; one table more than there are answers is asked for."""
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
ROOM = "the block that an answer without successor gives back is needed in the same step"
CROSSED = "the successors stand in another order than the answers that they continue"
APART = "two successors of one answer stand apart, with one of another between them"
LONG = "a prompt of some 50 tokens, and six answers: the pool has no room for copies"
LACKING = "the last of three new answers finds no block: no token is written, and two of the new ones go on"
ANSWERS = [
    Case("plain", THREE, grown("000 012", prompt=6)),
    Case("single", "one answer to a prompt of one token", grown("0", prompt=1)),
    Case("token-by-token", "one answer of nine tokens", grown("0 " * 9, (2, 3)), ("ragged",)),
    Case("full-blocks", "the prompt fills its blocks: nothing is copied", grown("000 012", (0, 3), spare=2)),
    Case("ends", "answers end one after another, and then all", grown("0000 0123 013 02 1 0 -", (2, 3))),
    Case("falls-out", "of three answers one has two successors, and one none", grown("000 002 012", (1, 3), spare=1)),
    Case("no-room-to-spare", ROOM, grown("000 012 002 012 001 012", (3, 4))),
    Case("crossed", CROSSED, grown("000 210 120 201", (2, 3))),
    Case("apart", APART, grown("00 010 202 110", (2, 3))),
    Case("one-wins", "all but one fall out, and that one has four successors", grown("000 012 2222 0123 3333", (3, 3))),
    Case("out-of-blocks", LACKING, grown("00 01 01 110 01 0", (1, 3), spare=-1)),
    Case("blocks-of-one", "blocks of one token", grown("00 01 110 02", 3, block_size=1)),
    Case("beams", "three beams of a search move", beams_move(3, 7)),
    Case("long-prompt", LONG, grown("000000 012345 001122 543210", (1, 13))),
    Case("random-small", "twelve steps, at most three answers", random_moves(12, 3)),
    Case("random-large", "ten steps, at most six answers, blocks of five", random_moves(10, 6, block_size=5)),
]

# ---- continuations and searches ------------------------------------------------------------------------------------


@drawn
def beams(
    rng: Generator, /, n_beams: int, vocabulary: int, n: int, level=0.0, size: float = 2.0, masked: float = 0.0,
    empty: tuple[int, ...] = (), behind: tuple[int, ...] = (), views=False,
) -> Arguments:  # fmt: skip
    """Beams in any order, or some far `behind` and the likeliest last.

    Their logits lie around `level`; a share of them is `masked`, and all of those of the beams `empty`.
    """
    scores = -rng.uniform(0.1, 3, n_beams)
    scores[list(behind)] -= 40
    if behind:
        scores = np.roll(scores, -1 - scores.argmax())
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
def cliffs(rng: Generator, /, n_beams: int, vocabulary: int, height: float = 120.0, below: float = 0.0) -> Arguments:
    """Tokens of which each is e^height times less likely than the one before; beams whose logarithms lie 10^6 apart."""
    x = -height * rng.permuted(np.tile(np.arange(vocabulary), (n_beams, 1)), axis=1)
    scores = -below - 1e6 * np.arange(n_beams)
    return {"scores": scores.astype(np.float32), "logits": x.astype(np.float32), "n": n_beams * vocabulary}


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


MANY = "five beams of which the last is the likeliest, and two are far behind, 3000 tokens, the best ten"
NEAR = "long texts: scores of about -100, and the best differ by less than a tenth"
UNLIKE = "the logits of one beam lie 100 above those of another: what counts is their softmax"
TWINS = "three beams are equally likely, with the same logits, and tokens are equally likely too"
BILLIONS = "beams of scores below -2e9: whatever stands for -inf has to be lower still"
FEW = "13 are asked for, of 12 texts, of which four may follow"
BEST = [
    Case("plain", "two beams, four tokens, the best three", clear_beams(2, 4, 3)),
    Case("single", "one beam, one token", clear_beams(1, 1, 1)),
    Case("one-beam", "the first step: one beam", clear_beams(1, 12, 6)),
    Case("many", MANY, clear_beams(5, 3000, 10, behind=(1, 3))),
    Case("all", "as many as there are", clear_beams(3, 4, 12, gap=1e-4)),
    Case("unlike-levels", UNLIKE, clear_beams(3, 20, 8, level=[100, 0, 50])),
    Case("ties", TWINS, twins(3, 20, 14)),
    Case("near", NEAR, redrawn(near_beams(3, 20), are_near)),
    Case("large-positive", "logits around +200, where exp overflows", clear_beams(3, 20, 6, level=200)),
    Case("very-negative", "logits around -1000", clear_beams(3, 20, 6, level=-1000, gap=1e-2)),
    Case("far-apart", "tokens are e^120, and beams e^1000000 times as likely as the next", cliffs(3, 4)),
    Case("billions-below", BILLIONS, cliffs(3, 4, height=1e4, below=2e9), ("very negative",)),
    Case("partly-masked", "half of the tokens must not follow", clear_beams(3, 20, 8, masked=0.5)),
    Case("masked-beam", "no token may follow two of the beams", clear_beams(4, 12, 6, empty=(0, 2)), ("masked row",)),
    Case("few", FEW, clear_beams(3, 4, 13, empty=(0, 1), gap=1e-4)),
    Case("none", "no token may follow any beam", beams(3, 4, 2, empty=(0, 1, 2))),
    Case("strided", "logits are a transposed view", clear_beams(4, 30, 8, views=True)),
]


def in_pool(given: Arguments, moves: Moves, block_size: int = 4, spare: int = 9) -> Arguments:
    """The same in a pool that has `spare` blocks more than a search of these moves needs."""
    return given | {"n_blocks": blocks_needed(given["prompt"], moves, block_size) + spare, "block_size": block_size}


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
            return in_pool(given, found.moves, block_size, spare)
    raise AssertionError("no search was found that is as wanted")


@drawn
def dead_end(rng: Generator, /) -> Arguments:
    """No token may follow the prompt's last one."""
    given = searches(2, 5, 4)(rng)
    given["model"][given["prompt"][-1]] = -np.inf
    return given


@drawn
def sure_end(rng: Generator, /, moves: int) -> Arguments:
    """An answer ends at once, and one that was as likely so far ends with certainty a token later.

    The search takes so many moves: one, if it is over then.
    """
    return redrawn(ends_twice, lambda given: len(searched_by(given).moves) == moves)(rng)


def ends_twice(rng: Generator) -> Arguments:
    end, sure, *others = rng.permutation(6).tolist()
    weights = toy_weights(rng, 6) / 4
    last = others.pop()  # of the prompt
    weights[last, [end, sure]] = 4
    weights[sure, [token for token in range(6) if token != end]] = -np.inf
    given = {"prompt": [last], "n_beams": 3, "end": end, "max_tokens": 5, "alpha": 0.0}
    given |= {"model": weights}
    return in_pool(given, searched_by(given).moves)


@drawn
def twin_searches(rng: Generator, /, n_beams: int, max_tokens: int) -> Arguments:
    """Six tokens, each of which has a twin: the logits of both are the same, and so is all that follows them."""
    for _ in range(TRIES):
        weights = np.repeat(np.repeat(toy_weights(rng, 3), 2, axis=0), 2, axis=1)
        end = int(rng.integers(6))
        prompt = rng.integers(6, size=5).tolist()
        found = search(torch.from_numpy(weights).double(), prompt, n_beams, end, max_tokens, 1.0)
        apart = search(torch.from_numpy(weights).double() + 1e-9 * torch.rand(6), prompt, n_beams, end, max_tokens, 1.0)
        if len(found.moves) > 2 and apart.margin > 0:
            given = {"prompt": prompt, "n_beams": n_beams, "end": end, "max_tokens": max_tokens, "alpha": 1.0}
            return in_pool({"model": weights} | given, found.moves)
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
    """Other answers are found if only the n_beams likeliest are looked at: one of the right ones is not among these."""
    others = searched_by(given, given["n_beams"]).texts != found.texts
    return others and max(lengths(found)) > 2 and any(text in found.texts for text in found.late)


def ends_behind(given: Arguments, found: Search) -> bool:
    """A continuation that ends after the last new beam would have been among the best."""
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


EXHAUSTIVE = "40 beams, four tokens, answers of at most three: every answer is looked at"
NORMALISED = "alpha = 1: per token another answer is the best than without"
MANY_END = "several continuations of one step end, one after as many likelier ones as there are beams"
STOPS = "the search is over long before max_tokens"
ENDS_BEHIND = "a continuation ends that is likely, but less so than the last new beam: it is not looked at"
GOES_ON = "there are enough answers, and a beam that is worse per token than all of them becomes better"
FORBIDDEN_TOKENS = "a third of all pairs of tokens must not follow each other"
CUT = "no answer ends by itself before max_tokens"
NO_ROOM_FOR_ENDS = "answers end beside beams that go on, and the pool has no block for them"
FIRST_FINISHED = "two answers are equally likely: one ends at once, the other a token later, with certainty"
NO_ROOM = "the pool has no block for a beam that has fallen out"
SEARCHES = [
    Case("plain", "two beams, four tokens, answers of at most four", searches(2, 4, 4, wanted=falls_out)),
    Case("single", "one beam, one step", searches(1, 3, 1)),
    Case("greedy", "one beam: the likeliest token at every step", searches(1, 6, 8, ends=-2.0)),
    Case("exhaustive", EXHAUSTIVE, searches(40, 4, 3, alpha=0.7)),
    Case("sum", "alpha = 0: the sums of the log-probabilities", searches(3, 6, 7, alpha=0.0, wanted=falls_out)),
    Case("normalised", NORMALISED, searches(3, 6, 7, alpha=1.0, wanted=of_many_lengths)),
    Case("half", "alpha = 0.5", searches(4, 6, 6, alpha=0.5, wanted=of_many_lengths)),
    Case("ends-behind", ENDS_BEHIND, searches(2, 6, 6, ends=1.0, wanted=ends_behind)),
    Case("goes-on", GOES_ON, searches(2, 6, 12, alpha=1.5, ends=2.0, wanted=misleads)),
    Case("many-end", MANY_END, searches(5, 6, 6, alpha=0.0, ends=1.0, wanted=ends_many)),
    metered("stops", STOPS, searches(3, 6, 80, alpha=0.5, ends=0.5, wanted=stops_early)),
    Case("cut", CUT, searches(3, 6, 6, ends=-9.0, wanted=falls_out), ("ragged",)),
    Case("no-room", NO_ROOM, searches(4, 8, 9, ends=-3.0, wanted=falls_out, block_size=2, spare=0, prompt=(20, 30))),
    Case("no-room-for-ends", NO_ROOM_FOR_ENDS, searches(3, 6, 8, ends=1.0, wanted=ends_take_room, spare=0)),
    Case("masked", FORBIDDEN_TOKENS, searches(3, 8, 6, masked=0.3, prompt=(1, 2)), ("masked row",)),
    Case("dead-end", "no token may follow the prompt, so there is no answer", dead_end(), ("masked row",)),
    Case("first-finished", FIRST_FINISHED, sure_end(1)),
    Case("first-of-three", f"{FIRST_FINISHED}; then a third is looked for", sure_end(2)),
    Case("ties", "every token has a twin, and everything is a tie", twin_searches(3, 5)),
]
