"""The next token, filtered and drawn; answers that share their blocks; beam search."""

from __future__ import annotations

import numpy as np
import torch
from numpy.random import Generator

from autograder.exercises import online_softmax as online
from autograder.exercises.answers_cases import ANSWERS, BEST, SEARCHES
from autograder.exercises.draws import NO_HEADS_YET, TRIES, Draw, drawn, metered, no_scores, redrawn
from autograder.exercises.online_softmax import Rows, chunked, masked, spread
from autograder.runner.arrays import items_of
from autograder.spec.exercise import Arguments, Bound, Budget, Case, Exercise, Output, Quantity, Question, Tolerance
from kernels import sampling
from kernels.oracles import sampling as right
from kernels.oracles.answers import AnswersModel, all_continuations, searched, searched_by
from kernels.sampling import NoSuchAnswer, OutOfBlocks

# ---- the filter -----------------------------------------------------------------------------------------------------


def next_token(make: Rows, *widths: int, temperature: float = 1.0, k: int, p: float = 1.0, transposed=False) -> Draw:
    """Rows of logits in chunks; no sum of probabilities that decides is near p."""

    def draw(rng: Generator) -> Arguments:
        return chunked(make, *widths, transposed=transposed)(rng) | {"temperature": temperature, "k": k, "p": p}

    return redrawn(draw, is_far_from_p)


def is_far_from_p(a: Arguments) -> bool:
    if a["p"] >= 1:
        return True
    x = -np.sort(-np.concatenate(items_of(a["chunks"]), axis=1).astype(np.float64), axis=1)[:, : a["k"]]
    share = right.shares(torch.from_numpy(x), a["temperature"] or 1.0).numpy()
    before = np.cumsum(share, axis=1) - share
    return bool((abs(before[:, 1:] - a["p"]) > 1e-4).all())


@drawn
def beside_p(rng: Generator, /, k: int) -> Arguments:
    """A row in which a sum lies 2e-5 beside p, so near that with numbers of 16 bits p would lie on its other side."""
    for _ in range(TRIES):
        given = chunked(spread(1, 24, -1, 1), 10, 14)(rng)
        x = -np.sort(-np.concatenate(items_of(given["chunks"]), axis=1).astype(np.float64), axis=1)[:, :k]
        share = right.shares(torch.from_numpy(x), 1.0).numpy()
        before = np.cumsum(share, axis=1) - share
        p = before[0, rng.integers(2, k)] + rng.choice([-2e-5, 2e-5])
        half = share.astype(np.float16).astype(np.float64)
        if ((np.cumsum(half, axis=1) - half < p) != (before < p)).any():
            return given | {"temperature": 1.0, "k": k, "p": float(p)}
    raise AssertionError("rounding to 16 bits decides nothing")


@drawn
def equal_shares(rng: Generator, /, **rest: float) -> Arguments:
    """Four tokens of each row, in any columns, are equally likely and the others masked: all sums are exact."""
    x = np.where(rng.permuted(np.tile(np.arange(12) < 4, (3, 1)), axis=1), rng.integers(-3, 4, (3, 1)), -np.inf)
    return chunked(lambda _: x.astype(np.float32), 5, 5, 2)(rng) | rest


@drawn
def levels(rng: Generator, /, rows: int, n: int, apart: float = 1.0) -> np.ndarray:
    """Each logit is one of five numbers, so that most have equals."""
    return apart * rng.integers(-2, 3, (rows, n)).astype(np.float32)


ORDER = "the three largest have a sum of 1 before p = 0.75 is asked for"
HALF = "four tokens are equally likely: before the third the sum is 0.5, which is not below p = 0.5"
BESIDE_P = "the sum before a token lies 2e-5 beside p"
GREEDY = "temperature 0: of equal largest ones the first token stays, with probability 1"
FREEZING = "temperature 1e-37: logits over it overflow; equal largest ones share, whatever their token"
COOLER = "logits of some 1e-12, which a temperature of 1e-12 tells apart: it is not 0"
TAIL = "p = 1 cuts nothing, though rounded sums arrive at 1 long before the last token"
TIES = "most logits have equals, within a chunk and across chunks"
UNDERFLOW = "one logit lies 200 above the rest, whose probabilities underflow to 0; p = 1"

FEW_UNMASKED = "k = 6, but only four tokens of each row are not masked; p = 1.5 lets all of them stay"
MASKED_GREEDY = "two rows are fully masked, temperature 0"
FILTERED = [
    Case("plain", "two rows of six logits in two chunks", next_token(spread(2, 6, -2, 2), 3, 3, k=4, p=0.8)),
    Case("single", "a single logit", next_token(spread(1, 1), 1, k=1, p=0.5)),
    Case("cooler", COOLER, next_token(spread(4, 16, -5e-12, 5e-12), 8, 8, temperature=1e-12, k=5)),
    Case("hotter", "temperature 2, and p = 0.7", next_token(spread(4, 16), 8, 8, temperature=2.0, k=12, p=0.7)),
    Case("p-alone", "p = 0.6, and k is all tokens", next_token(spread(4, 16, -1, 1), 6, 10, k=16, p=0.6)),
    Case("k-then-p", ORDER, next_token(spread(6, 16, -1, 1), 8, 8, k=3, p=0.75)),
    Case("small-p", "p = 0.00001: the likeliest token stays", next_token(spread(3, 9), 4, 5, k=5, p=1e-5)),
    Case("exact-half", HALF, equal_shares(temperature=1.0, k=6, p=0.5)),
    Case("beside-the-sums", BESIDE_P, beside_p(16)),
    Case("ties", TIES, next_token(levels(6, 40), 8, 8, 8, 16, k=9, p=0.95)),
    Case("greedy", GREEDY, next_token(levels(6, 24), 8, 8, 8, temperature=0.0, k=4, p=0.9)),
    Case("freezing", FREEZING, next_token(levels(6, 24, 100), 8, 8, 8, temperature=1e-37, k=9)),
    Case("whole-tail", TAIL, next_token(spread(3, 60, -40, 10), 30, 30, k=60)),
    Case("ragged", online.RAGGED, next_token(spread(5, 37), 16, 16, 5, k=6, p=0.9)),
    Case("rising", "the maximum grows in every chunk", next_token(online.rising(5, 64, 0.1), *[8] * 8, k=5, p=0.7)),
    Case("falling", "the largest lie in the first chunk", next_token(online.falling(5, 32, 0.1), *[8] * 4, k=5, p=0.7)),
    Case("widening", online.FAR_COLUMNS, next_token(spread(4, 5010), 3, 7, 5000, k=4, p=0.9)),
    Case("k-over-chunk", "k = 7 is wider than a chunk", next_token(spread(3, 12), *[2] * 6, k=7, p=0.95)),
    Case("k-over-row", "k = 8, but there are five tokens", next_token(spread(3, 5), 3, 2, k=8, p=0.95)),
    Case("strided", "transposed views", next_token(spread(6, 24), 10, 10, 4, k=4, p=0.9, transposed=True)),
    Case("large-positive", online.LARGE, next_token(spread(4, 65, 150, 250), 32, 32, 1, temperature=9.0, k=9, p=0.9)),
    Case("very-negative", online.LOWER, next_token(online.far_below_unlike(5, 65), 32, 32, 1, k=3, p=0.9)),
    Case("jump", online.JUMP, next_token(online.jump(3, 20), 5, 5, 5, 5, temperature=3.0, k=12)),
    Case("outlier", UNDERFLOW, next_token(online.outlier(4, 30, ties=False), 10, 10, 10, k=5)),
    Case("partly-masked", "a third of the tokens are masked", next_token(masked(6, 40), *[10] * 4, k=6, p=0.9)),
    Case("few-unmasked", FEW_UNMASKED, next_token(online.nearly_masked(4, 30, 4), 10, 10, 10, k=6, p=1.5)),
    Case("fully-masked", online.MASKED, next_token(masked(4, 20, full=(1, 3)), 8, 8, 4, k=3)),
    Case("fully-masked-greedy", MASKED_GREEDY, next_token(masked(4, 20, full=(1, 3)), 8, 8, 4, temperature=0.0, k=3)),
    metered("many-chunks", online.TOP_MANY_CHUNKS, next_token(spread(32, 768), *[8] * 96, temperature=0.7, k=4)),
    Case("uneven-chunks", online.UNEVEN_TOP, online.in_uneven_chunks(32, 96, 12, temperature=1.5, k=4, p=1.0)),
]

# ---- the draw -------------------------------------------------------------------------------------------------------


@drawn
def rows_to_draw(
    rng: Generator, /, rows: int, k: int, empty: int = 0, masked: tuple[int, ...] = (), alike=False, views=False,
    beside=False,
) -> Arguments:  # fmt: skip
    """p in any order, `empty` slots of each row 0, the rows `masked` all 0. u is not near a sum of a row.

    beside: u lies 2e-5 above or below a sum. alike: all rows are the same. views: p is a transposed view, and
    index every other column of a wider one.
    """
    p = rng.exponential(1, (1 if alike else rows, k)) + 0.05
    p[:, :empty] = 0
    p = np.broadcast_to(rng.permuted(p, axis=1), (rows, k)).copy()
    p = (p / p.sum(1, keepdims=True)).astype(np.float32)
    p[list(masked)] = 0
    index = rng.permuted(np.tile(np.arange(3 * k), (rows, 1)), axis=1)[:, :k].copy()
    u = np.array([clear_of(rng, np.cumsum(row.astype(np.float64))) for row in p], np.float32)
    if beside:
        sums = np.cumsum(p, axis=1, dtype=np.float64)[:, :-1]
        u = (rng.permuted(sums, axis=1)[:, 0] + rng.choice([-2e-5, 2e-5], rows)).astype(np.float32)
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
    """Four slots of a quarter each after `empty` ones; the random numbers are the sums themselves, and 0."""
    k = empty + 4
    p = np.where(np.arange(k) < empty, 0, 0.25) * np.ones((4, 1))
    u = rng.permutation(np.arange(4) / 4)
    index = rng.permuted(np.tile(np.arange(3 * k), (4, 1)), axis=1)[:, :k].copy()
    return {"p": p.astype(np.float32), "index": index, "u": u.astype(np.float32)}


@drawn
def above_the_sum(rng: Generator, /) -> Arguments:
    """The probabilities have, rounded, a sum of 1 - 2^-22; two random numbers are the largest below 1, one is a sum."""
    p = np.array([0, 0.25, 0.5, 0.25 - 2**-22, 0, 0], np.float32)
    index = np.array([-1, *rng.permutation(30)[:3], -1, -1])
    u = np.array([1 - 2**-24, 1 - 2**-24, 0.75], np.float32)
    return {"p": np.stack([np.roll(p, -1), p, p]), "index": np.stack([np.roll(index, -1), index, index]), "u": u}


AT_SUMS = "four slots of a quarter each, and the random numbers are the sums: 0, 0.25, 0.5 and 0.75"
BESIDE = "600 rows of six, and the random numbers lie 2e-5 beside one of their row's sums"
ABOVE = "the sum is rounded below 1; two random numbers lie above it: the last slot that is not 0; one is a sum"
DRAWS = [
    Case("plain", "three rows of four", rows_to_draw(3, 4)),
    Case("single", "one token, with probability 1", rows_to_draw(1, 1)),
    Case("one-row", "one row of nine, and the draw is not its likeliest token", one_row_to_draw(9)),
    Case("many-rows", "forty rows of nine, a random number each", rows_to_draw(40, 9)),
    Case("alike", "600 draws from one distribution of eight tokens", rows_to_draw(600, 8, alike=True)),
    Case("at-the-sums", AT_SUMS, at_the_sums()),
    Case("beside-the-sums", BESIDE, rows_to_draw(600, 6, beside=True)),
    Case("empty-first", "the same after two slots of probability 0", at_the_sums(empty=2)),
    Case("above-the-sum", ABOVE, above_the_sum()),
    Case("empty-slots", "half of the slots have probability 0", rows_to_draw(20, 8, empty=4)),
    Case("masked-rows", "two rows are 0 throughout: -1", rows_to_draw(6, 4, masked=(1, 4)), ("masked row",)),
    metered("many-tokens", "memory: a vocabulary of 1500", rows_to_draw(12, 1500)),
    Case("strided", "p is a transposed view, index every other column", rows_to_draw(9, 7, views=True)),
]
NO_LOGITS = no_scores("probabilities come in, and no exponential is taken")
LOGITS_ARE_ELSEWHERE = no_scores("what is done with logits is asked in best_continuations")


def each_token_once(a: Arguments) -> list[int]:
    """The prompt's tokens, then one of each answer that finds room; nothing where the answers are looked at."""
    init = a["init"]
    model = AnswersModel(torch.from_numpy(init["model"]), init["n_blocks"], init["block_size"])
    read = []
    for method, given in a["steps"]:
        tokens = len(given.get("prompt", given.get("tokens", [])))
        try:
            getattr(model, method)(**given)
        except (NoSuchAnswer, OutOfBlocks):
            tokens = 0
        read.append(tokens)
    return read


def forks(a: Arguments) -> int:
    """Those that it takes at least: an old answer's sequence may become that of its first successor."""
    grown = [given["parents"] for method, given in a["steps"] if method == "grow"]
    return sum(len(parents) - len(set(parents)) for parents in grown)


TOKEN = (Output("token", dtype="int64", exact=True),)
PLACES = (Output("beam", dtype="int64", exact=True), Output("token", dtype="int64", exact=True))

EXERCISES = [
    Exercise(
        function=sampling.filtered,
        tolerance=Tolerance(known_like=0),
        oracle=right.kept,
        outputs=(Output("p", has_zeros=True), Output("index", dtype="int64", exact=True)),
        points=3,
        budget=online.K_OF_EACH_ROW,
        cases=FILTERED,
        without=NO_HEADS_YET,
    ),
    Exercise(
        function=sampling.draw,
        oracle=right.drawn_tokens,
        outputs=TOKEN,
        points=2,
        budget=Budget(memory=Bound(lambda a: 256 * a["p"].size + 65_536, "256 bytes for each probability, and 66 kB")),
        cases=DRAWS,
        without=NO_HEADS_YET | NO_LOGITS | {"ragged": "there is no tile"},
    ),
    Exercise(
        function=sampling.Answers,
        oracle=AnswersModel,
        outputs=(),
        methods={
            "start": (Output("logits", memory="copy"),),
            "grow": (Output("logits", memory="copy"),),
            "table": (Output("table", "int32", exact=True, memory="copy"),),
            "tokens": (Output("tokens", "int64", exact=True, memory="copy"),),
            "counts": (Output("counts", "int64", exact=True, memory="copy"),),
        },
        errors=("NoSuchAnswer", "OutOfBlocks", "WrongSequence"),
        points=3,
        backend="torch",
        cases=ANSWERS,
        calls={"TokenCache.fork": forks},
        reads=each_token_once,
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
        allowed=("tolist",),  # of a few scores
        oracle=searched,
        outputs=(Output("scores"), Output("tokens", dtype="int64", exact=True)),
        points=4,
        backend="torch",
        cases=SEARCHES,
        calls={
            "Answers": lambda a: range(1, 2),
            "Answers.grow": lambda a: range(len(searched_by(a).moves), len(searched_by(a).moves) + 1),
        },
        reads=lambda a: [len(a["prompt"]) + sum(len(tokens) for _, tokens in searched_by(a).moves)],
        budget=Budget(
            operators=Bound(
                lambda a: 1000 * (1 + len(searched_by(a).moves)), "1000 for each step until nothing better can come"
            )
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
