"""Serving many requests at once."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from math import ceil
from typing import Any

import numpy as np
from numpy.random import Generator

from autograder.exercises import draws, flash_tiles
from autograder.exercises import paged_attention as paged
from autograder.exercises.measured import BANDWIDTH, PEAK, RIDGE
from autograder.exercises.paged_attention import keys_of_tiles, packed_products, pools, tile_of_rows
from autograder.exercises.paged_cache import NO_SCORES
from autograder.spec.exercise import (
    ONE_TILE_EACH,
    Arguments,
    Bound,
    Budget,
    Case,
    Exercise,
    Output,
    Quantity,
    Question,
    once,
)
from kernels import continuous_batching
from kernels.oracles import continuous_batching as right
from kernels.serving import TooLong

Step = tuple[str, Arguments]


# Steps on the clock.

LLAMA: dict[str, Any] = {
    "weights": 1_235_814_400,
    "per_token": 16 * 2 * 8 * 64,
    "per_pair": 16 * 32 * 4 * 64,
    "itemsize": 2,
}
H200: dict[str, Any] = {"peak": PEAK, "bandwidth": BANDWIDTH}
A100: dict[str, Any] = {"peak": 312e12, "bandwidth": 2039e9}


@draws.drawn
def on_the_clock(
    rng: Generator, /, decodes: int, prompts: tuple[int, ...] = (), behind: int = 1, longest: int = 2000, **model: Any
) -> Arguments:
    """So many sequences that decode, and chunks of about these sizes, of which the last has tokens before it."""
    new = np.array([1] * decodes + [n + int(rng.integers(n // 4 + 1)) for n in prompts])
    before = rng.integers(1, longest, len(new))
    before[decodes : len(new) - behind] = 0
    order = rng.permutation(len(new))
    return {"new": new[order], "length": (new + before)[order]} | LLAMA | H200 | model


FIRST: dict[str, Any] = {
    "weights": 1000,
    "per_token": 10,
    "per_pair": 40,
    "itemsize": 2,
    "peak": 4000.0,
    "bandwidth": 1000.0,
}
MIXED = "a model of 1.2 billion weights: 60 sequences decode beside two chunks of prompts"
ON_AN_A100 = "the same on an A100, with numbers of one byte"
CHUNKS = "very long chunks of two prompts: arithmetic is waited for, and no 32 bits hold the pairs"
CLOCK = [
    Case("plain", "three sequences decode, with a handful of weights", on_the_clock(3, longest=20, **FIRST)),
    Case("single", "one sequence of one token", on_the_clock(0, (1,), behind=0, **FIRST)),
    Case("first-chunk", "one chunk of a prompt, of which nothing is cached", on_the_clock(0, (6,), behind=0, **FIRST)),
    Case("chunk-behind", "a chunk after tokens that are cached", on_the_clock(0, (6,), longest=20, **FIRST)),
    Case("decodes", "many sequences decode: both halves wait for bytes", on_the_clock(200)),
    Case("chunks", CHUNKS, on_the_clock(0, (25_000, 75_000), longest=200_000)),
    Case("mixed", MIXED, on_the_clock(60, (300, 700))),
    Case("other-machine", ON_AN_A100, on_the_clock(60, (300, 700), itemsize=1, **A100)),
]


# Requests and steps.

SHAPE = {"n_blocks": 16, "block_size": 4, "slots": 4, "budget": 16}


@draws.drawn
def served(rng: Generator, /, kind: type[right.EngineModel], operations: str, **shape: int) -> Arguments:
    """The operations: 0:5+3 submits request 0 with a prompt of five tokens, to say three; . is a step, and .4 are four.

    1:0/8,5+3: the prompt begins with eight tokens of request 0's, and five of its own follow. Behind the last of them
    come steps until all requests have ended, and one more. After each step the blocks that are held are looked at.
    The seed draws the tokens.
    """
    shape = SHAPE | shape
    prompts: dict[str, list[int]] = {}
    todo: list[Step] = []
    for word in operations.split():
        if word[0] == ".":
            todo += [("step", {})] * int(word[1:] or 1)
            continue
        number, _, rest = word.partition(":")
        prompt, _, new = rest.partition("+")
        parent, _, own = prompt.rpartition(",")
        beginning = parent.partition("/")
        shared = prompts[beginning[0]][: int(beginning[2])] if parent else []
        prompts[number] = shared + tokens(rng, int(own))
        todo.append(("submit", {"number": int(number), "prompt": prompts[number], "new": int(new)}))
    return {"init": shape, "steps": [*to_the_end(kind(**shape), todo)]}


def tokens(rng: Generator, n: int) -> list[int]:
    return rng.integers(right.MODEL.config.vocabulary, size=n).tolist()


def to_the_end(model: right.EngineModel, todo: list[Step]) -> Iterator[Step]:
    """The operations, and what is looked at after each; then steps until the model has nothing to do, and one more."""
    while todo or model.queue:
        method, given = todo.pop(0) if todo else ("step", {})
        yield method, given
        try:
            getattr(model, method)(**given)
        except TooLong:
            continue
        if method == "step":
            yield "held", {}
    yield from (("step", {}), ("held", {}))


@draws.drawn
def arriving(
    rng: Generator, /, kind: type[right.EngineModel], n: int, every: float, stories: int = 0, **shape: int
) -> Arguments:
    """n requests, one in about `every` steps, each of at most half of the blocks.

    stories: how many beginnings, of up to half of a prompt's tokens, they have between them; 0: each its own.
    """
    shape = SHAPE | shape
    most = shape["n_blocks"] * shape["block_size"] // 2
    begun = [tokens(rng, most // 2) for _ in range(stories)]
    todo: list[Step] = []
    for number in rng.integers(1 << 40, size=n).tolist():  # which says nothing of their order
        new = int(rng.integers(1, most // 2))
        prompt = tokens(rng, int(rng.integers(1, most // 2)))
        if begun:
            story = begun[rng.integers(stories)]
            prompt = story[: int(rng.integers(len(story) // 2, len(story) + 1))] + prompt[: len(prompt) // 3]
        todo.append(("submit", {"number": number, "prompt": prompt, "new": new}))
        todo += [("step", {})] * int(rng.poisson(every))
    return {"init": shape, "steps": [*to_the_end(kind(**shape), todo)]}


def story(kind: type[right.EngineModel], key: str, name: str, operations: str, *regimes: str, **shape: int) -> Case:
    return Case(key, name, served(kind, operations, **shape), regimes)


def large_pool(kind: type[right.EngineModel]) -> Case:
    """A story in a pool so large that a copy of it would be seen."""
    return replace(story(kind, "large-pool", LARGE_POOL, "0:10+4 . 1:0/9,5+3 2:3+2", n_blocks=4000), budget=True)


def long_texts(kind: type[right.EngineModel]) -> Case:
    """A story of which so much is cached that a copy of it in each step would be seen."""
    return replace(story(kind, "long-texts", LONG_TEXTS, "0:440+40 1:440+40", n_blocks=240, budget=220), budget=True)


def random_requests(kind: type[right.EngineModel], stories: int = 0) -> list[Case]:
    small = {"n_blocks": 10, "slots": 3, "budget": 5}
    odd = {"n_blocks": 14, "block_size": 3, "slots": 5, "budget": 9}
    return [
        Case("random-small", "four requests, three slots, a budget of 5", arriving(kind, 4, 2, stories, **small)),
        Case("random-large", "nine requests, five slots, blocks of 3", arriving(kind, 9, 1.5, stories, **odd)),
    ]


TOGETHER = "two requests come together, read their prompts in one step and then say a token each in every step"
CHUNKED = "a prompt of 11 tokens under a budget of 4: three steps, and the first token in the third"
BESIDE = "a long prompt comes while two requests decode: they get their tokens, and it gets what is left"
PROMPTS = "three prompts under a budget of 10: the first whole, the second in part, the third in the next step"
SLOTS = "four requests and two slots: the next one joins in the step after another's last token"
RESERVED = "two requests that fit now but not at their longest: the second waits until the first has ended"
EXACT = "two requests fill all blocks exactly: their last tokens take no room"
REMAINDERS = "requests of one and five tokens, two blocks of four: they share none, so the second waits"
NO_OVERTAKING = "the first that waits does not fit, and the one behind it would: it does not overtake"
TOO_LONG = "a request that needs one block more than there are is refused; one that needs all waits, and is served"
SPENT = "as many requests decode as the budget has tokens: a slot is free, and the next one waits"
ONE_WORD = "requests that say one token: they end in the step that reads their prompts"
LARGE_POOL = "memory: a pool of 4,000 blocks, of which a few are held"
LONG_TEXTS = "memory: two texts of 440 tokens, of which 40 steps say the next ones"
TWICE = "three requests with the same prompt: each is read, and says as much as it was asked for"
MANY_WAIT = "a prompt of 15 tokens in chunks of two, and a dozen requests that wait for its slot and its blocks"
LATER = "two requests fill all blocks and end; of the next two, one under a used number, the second waits"
DOZEN = " ".join(f"{number}:3+1" for number in range(1, 13))
ENGINE = [
    story(right.EngineModel, "plain", TOGETHER, "0:5+3 1:3+2"),
    story(right.EngineModel, "single", "a prompt of one token", "0:1+4"),
    story(right.EngineModel, "idle", "steps with nothing to do", ". 0:2+1 . ."),
    story(right.EngineModel, "chunked", CHUNKED, "0:11+3", "ragged", budget=4),
    story(right.EngineModel, "beside-a-prompt", BESIDE, "0:3+9 1:2+9 . 2:17+2", budget=6),
    story(right.EngineModel, "two-prompts", PROMPTS, "2:7+4 0:9+2 1:5+2", budget=10),
    story(right.EngineModel, "slots", SLOTS, "1:3+2 3:2+5 2:4+3 0:3+2", slots=2),
    story(right.EngineModel, "reserved", RESERVED, "0:6+12 1:5+5", n_blocks=6),
    story(right.EngineModel, "exact-fit", EXACT, "0:6+3 1:9+4 2:2+2", n_blocks=5),
    story(right.EngineModel, "remainders", REMAINDERS, "0:1+1 1:5+1", n_blocks=2, budget=4),
    story(right.EngineModel, "no-overtaking", NO_OVERTAKING, "0:9+8 1:10+8 2:2+2", n_blocks=6),
    story(right.EngineModel, "too-long", TOO_LONG, "0:9+8 .2 1:9+9 2:2+12 3:17+1", n_blocks=4, budget=20),
    story(right.EngineModel, "budget-spent", SPENT, "0:3+6 1:2+4 2:3+6 . . 3:4+2", slots=4, budget=3),
    story(right.EngineModel, "one-token", ONE_WORD, "0:3+1 1:4+1 2:5+1 3:2+3", slots=2),
    story(right.EngineModel, "later", LATER, "0:3+6 .2 1:5+4 .6 0:10+7 2:2+3", n_blocks=4),
    story(right.EngineModel, "same-prompt", TWICE, "0:5+14 1:0/5,0+3 2:0/5,0+3"),
    story(right.EngineModel, "many-wait", MANY_WAIT, f"0:15+1 {DOZEN}", n_blocks=4, slots=1, budget=2),
    large_pool(right.EngineModel),
    long_texts(right.EngineModel),
    *random_requests(right.EngineModel),
]

ROOM_NOW = "two requests that fit now but not at their longest run together until the blocks run out"
GOES_ON = "the one that was preempted has said three tokens: it goes on after them, and says none twice"
NOT_NOW = "all blocks of all tokens are needed: a request waits although its first chunk would fit"
TWO_GO = "two requests have to go for the first one's next token: each has a single block"
IN_PROMPT = "a request is preempted in the middle of its prompt, and reads it from the beginning"
TIGHT = "at the end the oldest is alone with all blocks"
ORDER = "preempted requests wait before those that came after them"
PREEMPTING = [
    story(right.PreemptingModel, "plain", ROOM_NOW, "0:6+9 1:5+8", n_blocks=5),
    story(right.PreemptingModel, "single", "a prompt of one token", "0:1+4"),
    story(right.PreemptingModel, "goes-on", GOES_ON, "1:7+9 0:6+7 .3", n_blocks=5),
    story(right.PreemptingModel, "exact-fit", EXACT, "0:6+3 1:9+4 2:2+2", n_blocks=5),
    story(right.PreemptingModel, "not-now", NOT_NOW, "0:6+6 1:14+2", n_blocks=5, budget=9),
    story(right.PreemptingModel, "chunked", CHUNKED, "0:11+3", "ragged", budget=4),
    story(right.PreemptingModel, "two-go", TWO_GO, "0:3+9 1:3+3 2:3+3 3:3+3", n_blocks=4, block_size=3, slots=4),
    story(right.PreemptingModel, "in-its-prompt", IN_PROMPT, "0:3+9 1:3+9 2:11+2", n_blocks=5, budget=4),
    story(right.PreemptingModel, "in-order", ORDER, "3:7+8 4:6+6 2:3+4 . 0:2+3 1:3+2", n_blocks=5),
    story(right.PreemptingModel, "tight", TIGHT, "0:4+9 1:3+7 2:4+6", n_blocks=3),
    large_pool(right.PreemptingModel),
    long_texts(right.PreemptingModel),
    *random_requests(right.PreemptingModel),
]

EQUAL = "a prompt of 10 tokens that another request has read: its two full blocks are shared, two tokens computed"
WHOLE = "a prompt of two full blocks that is there whole: the second is left out, so that there is a query"
SAME_STEP = "two equal prompts come together: nothing is there yet, both are computed"
INSTRUCTIONS = "three prompts of which the first eight tokens are the same"
BY_SHARING = "five blocks for two requests of three, which share two, and for one of one that shares none"
GIVEN_BACK = "the first that waits shares two blocks and does not fit: while it waits, it holds nothing"
OTHERS = "two blocks are free, one needs its next in this step, and the first that waits two: it waits"
GROWING = "the second comes while the first is still reading their prompt in chunks"
ENDS_FIRST = "the first ends, and the third shares with the second what the second shared with the first"
GONE = "the same prompt once more, after the first has ended: nothing is there any more"
AGAIN = "a preempted request finds blocks of its prompt that the other still holds"
SAME_WORDS = "a preempted request finds what it has said too: the other says the same to the same prompt"
GOES_EMPTY = "the one that goes shares all of its blocks but one"
CONVERSATION = "a prompt that goes on where another's ends; what the other has said is not in it"
SHARING = [
    story(right.SharingModel, "plain", EQUAL, "0:10+6 .2 1:0/10,0+4"),
    story(right.SharingModel, "single", "a prompt of one token", "0:1+4"),
    story(right.SharingModel, "all-cached", WHOLE, "0:8+6 .2 1:0/8,0+3"),
    story(right.SharingModel, "same-step", SAME_STEP, "0:9+3 1:0/9,0+3"),
    story(right.SharingModel, "same-beginning", INSTRUCTIONS, "0:10+7 . 1:0/8,5+4 2:0/8,3+3", "ragged"),
    story(right.SharingModel, "fits-by-sharing", BY_SHARING, "0:10+3 . 1:0/8,3+2 2:2+2", n_blocks=5),
    story(right.SharingModel, "given-back", GIVEN_BACK, "0:10+4 1:5+4 . 2:0/8,9+3 3:2+2", n_blocks=6),
    story(right.SharingModel, "exact-fit", EXACT, "0:6+3 1:9+4 2:2+2", n_blocks=5),
    story(right.SharingModel, "others-grow", OTHERS, "0:8+4 .2 1:8+2", n_blocks=4, budget=5),
    story(right.SharingModel, "while-reading", GROWING, "0:15+3 . . 1:0/15,0+3", budget=6),
    story(right.SharingModel, "first-ends", ENDS_FIRST, "0:9+2 . 1:0/9,0+8 . . 2:0/9,0+3"),
    story(right.SharingModel, "gone", GONE, "0:9+2 . . . 1:0/9,0+2"),
    story(right.SharingModel, "found-again", AGAIN, "0:9+9 . 1:0/8,3+9", n_blocks=6),
    story(right.SharingModel, "same-words", SAME_WORDS, "0:6+14 . 1:0/6,0+9", n_blocks=6),
    story(right.SharingModel, "goes-empty", GOES_EMPTY, "0:8+9 1:7+9 . 2:0/8,2+5 . . .", n_blocks=7),
    story(right.SharingModel, "goes-on", CONVERSATION, "0:9+8 .3 1:0/9,9+3"),
    story(right.SharingModel, "no-overtaking", NO_OVERTAKING, "0:9+8 . 1:0/4,16+2 2:2+2", n_blocks=6),
    large_pool(right.SharingModel),
    long_texts(right.SharingModel),
    *random_requests(right.SharingModel, stories=2),
]

# Ragged batches.


@draws.drawn
def chunks(rng: Generator, /, pairs: list[tuple[int, int]], tiles: int = 16, **rest: Any) -> Arguments:
    """Pairs of new tokens and of all tokens, one for each sequence, in a pool as `pools` makes it."""
    new = [n for n, _ in pairs]
    given = pools([length for _, length in pairs], n_q=max(new), **rest)(rng)
    q = np.concatenate([q[:, q.shape[1] - n :].swapaxes(0, 1) for q, n in zip(given.pop("q"), new, strict=True)])
    begins = np.cumsum([0, *new]).astype(np.int32)
    told = {"tile_m": tiles, "tile_n": tiles, "begins": begins, "longest": max(new)}
    return {"q": np.ascontiguousarray(q)} | told | given


def programs_of_rows(given: Arguments) -> int:
    """For each sequence and KV head as many as have tiles where most tokens are new."""
    heads, kv_heads = given["q"].shape[1], given["k_pool"].shape[1]
    return int(kv_heads * ceil(given["longest"] * heads // kv_heads / given["tile_m"]) * len(given["lengths"]))


def tiles_with_rows(given: Arguments) -> int:
    """Without the programs that have no rows."""
    heads, kv_heads = given["q"].shape[1], given["k_pool"].shape[1]
    rows = np.diff(given["begins"]) * (heads // kv_heads)
    return int(kv_heads * np.ceil(rows / given["tile_m"]).sum())


def ragged_loads(given: Arguments) -> int:
    """q once, the keys of each tile of rows; for each program where its chunk begins and ends, and its length."""
    d, size = given["q"].shape[2], given["q"].itemsize
    keys = sum(map(sum, keys_of_tiles(given))) * (2 * d * size + 4)
    return given["q"].nbytes + given["k_pool"].shape[1] * keys + 12 * programs_of_rows(given)


def ragged_asked(given: Arguments) -> int:
    """Elements of the tiles in `ragged_loads`, ragged or not; no bound where nothing is said of them.

    A program whose tile of rows lies after its chunk may ask for it and get nothing.
    """
    d = given["q"].shape[2]
    keys = sum(flash_tiles.whole(seen, given["tile_n"]) for seen in keys_of_tiles(given))
    return programs_of_rows(given) * (given["tile_m"] * d + 3) + given["k_pool"].shape[1] * keys * (2 * d + 1)


ONE_CHUNK = "one chunk: the last 7 of 40 tokens, two query heads on one KV head, blocks of 16"
ONE_BATCH = "a chunk of 9 tokens, and two sequences that say their next one"
UNEVEN = "chunks of 21, 1, 8 and 3 tokens; a tile of 16 rows ends within a group of 3, which begins a tile of keys"
NONE_NEW = "the second of four sequences has no new token, and the last has no token at all"
PROMPTS_WHOLE = "two whole prompts of 21 and 6 tokens, of which nothing was cached"
ODD_TILES = "tiles of 128 rows and 16 keys, blocks of 24; with a tile's last row another tile of keys begins"
RAGGED_BYTES = (
    "bytes are counted: chunks of 30, 1 and 6 tokens, two KV heads, three query heads on each, blocks of 8, tiles of "
    "16 rows and 32 keys"
)
FOUR_CHUNKS = [(21, 27), (1, 18), (8, 8), (3, 35)]
RAGGED = [
    Case("plain", ONE_CHUNK, chunks([(7, 40)], group=2)),
    Case("single", "one sequence of one token, at position 0", chunks([(1, 1)])),
    Case("mixed", ONE_BATCH, chunks([(9, 25), (1, 33), (1, 7)], group=2)),
    Case("decode-step", "four sequences with one new token each", chunks([(1, 40), (1, 3), (1, 16), (1, 21)], group=4)),
    Case("ragged", UNEVEN, chunks(FOUR_CHUNKS, kv_heads=2, group=3, block_size=8)),
    Case("cross", "chunks of 5 and 12 tokens after 30 and 10 cached ones", chunks([(5, 35), (12, 22)])),
    Case("grouped", paged.GROUPS, chunks([(8, 17), (6, 30)], kv_heads=2, group=3, block_size=8, unwritten=0.0)),
    Case("none-new", NONE_NEW, chunks([(4, 9), (0, 12), (3, 20), (0, 0)], group=2)),
    Case("whole-prompts", PROMPTS_WHOLE, chunks([(21, 21), (6, 6)], group=2, block_size=8, d=128)),
    Case("odd-blocks", paged.FIVES, chunks([(6, 33), (2, 27)], group=2, block_size=5)),
    Case("tall-tiles", ODD_TILES, chunks([(80, 97), (3, 9)], group=2, block_size=24, tile_m=128)),
    Case("shared-prefix", paged.SHARED, chunks([(3, 40), (1, 33), (4, 36)], shared=2)),
    Case("unwritten-nan", paged.UNUSED, chunks([(4, 41), (1, 6)], first=1, block_size=8)),
    Case("scaled", flash_tiles.SCALED, chunks([(3, 37), (1, 5)], scale=0.2)),
    Case("rising", flash_tiles.RISING, chunks([(4, 60)], profile=flash_tiles.climb(60), group=2)),
    Case("large-positive", flash_tiles.LARGE, chunks([(4, 37), (1, 20)], group=4, d=64, level=flash_tiles.up(4))),
    Case("light", draws.LIGHT, draws.light(chunks([(4, 60)], group=2), 16, 32)),
    Case("very-negative", flash_tiles.SMALL, chunks([(4, 37), (1, 20)], group=4, level=flash_tiles.down(4))),
    Case("far-below", draws.FAR_BELOW, chunks([(9, 37)], group=4, level=np.linspace(*draws.DEEP, 4))),
    Case("hidden-higher", draws.HIDDEN_HIGHER, chunks([(21, 21)], profile=draws.stairs(21))),
    draws.billions_below(chunks([(1, 1), (1, 1)])),
    Case("jump", draws.JUMP, chunks([(4, 33)], group=2, profile=draws.jump(33))),
    Case("float16", flash_tiles.HALF, chunks([(6, 50), (1, 21)], group=2, flat=True, dtype="float16", d=32)),
    Case("float16-rising", flash_tiles.COARSE, chunks([(6, 50)], group=4, profile=paged.TWELVE, dtype="float16")),
    Case("float16-sums", flash_tiles.LOST, draws.one_outweighs(chunks([(2, 256)], flat=True, dtype="float16", d=64))),
    Case("float16-scores", flash_tiles.UNROUNDED, draws.opposed(chunks([(6, 50)], group=4, d=32, dtype="float16"))),
    draws.own_tiles(chunks([(90, 100), (1, 20)], group=2, dtype="float16")),
    Case("wide-head", paged.WIDE_HEAD, chunks([(2, 700), (1, 9)], group=18, d=128, dtype="float16", tiles=32)),
    draws.metered(
        "traffic",
        RAGGED_BYTES,
        chunks([(30, 50), (1, 41), (6, 22)], kv_heads=2, group=3, block_size=8, d=32, tile_n=32),
    ),
]


def what_is_computed(kind: type[right.EngineModel], a: Arguments) -> list[int]:
    """The tokens that each step says it computes; elsewhere the model reads nothing."""
    model, read = kind(**a["init"]), []
    for method, given in a["steps"]:
        if method == "step":
            computed, _ = model.step()
            read.append(int(computed[:, 1].sum()))
            continue
        read.append(0)
        with contextlib.suppress(TooLong):
            getattr(model, method)(**given)
    return read


def made_by_steps(kind: type[right.EngineModel], a: Arguments) -> int:
    """Bytes that the model makes of the tokens that it attends to: keys and values in 32 and in 64 bits, their scores
    three times, and a ninth more.
    """
    model, cached, attended = kind(**a["init"]), Counter[int](), 0
    for method, given in a["steps"]:
        if method == "step":
            for number, n in model.step()[0].tolist():
                cached[number] += n
                attended += cached[number]
        elif method == "submit":
            with contextlib.suppress(TooLong):
                model.submit(**given)
    return attended * (2 * right.MODEL.config.d * (4 + 8) + 3 * 8) * 10 // 9


def pool_bytes(a: Arguments) -> int:
    """Those of the cache's keys and values."""
    return 4 * 2 * right.MODEL.config.d * int(a["init"]["n_blocks"] * a["init"]["block_size"])


def engine_budget(kind: type[right.EngineModel]) -> Budget:
    made = "the cache once, a quarter of it, 500 kB, and what steps of the model make of the tokens they attend to"
    return Budget(
        memory=Bound(lambda a: pool_bytes(a) * 9 // 8 + 300_000, "the cache, an eighth of it, and 300 kB"),
        made=Bound(lambda a: pool_bytes(a) * 5 // 4 + 500_000 + made_by_steps(kind, a), made),
    )


ENGINE_EXERCISE = Exercise(
    function=continuous_batching.Engine,
    oracle=right.EngineModel,
    outputs=(),
    methods={
        "submit": (),
        "step": (Output("computed", "int64", exact=True), Output("said", "int64", exact=True)),
        "held": (Output("blocks held", "int64", exact=True),),
    },
    errors=("TooLong", "OutOfBlocks", "WrongSequence"),
    points=4,
    backend="torch",
    cases=ENGINE,
    calls={"ToyModel": once},
    reads=partial(what_is_computed, right.EngineModel),
    budget=engine_budget(right.EngineModel),
    without=NO_SCORES | {"strided": "there are no arrays"},
)

EXERCISES = [
    Exercise(
        function=continuous_batching.step_time,
        oracle=right.every_query,
        outputs=(Output("seconds"),),
        points=2,
        cases=CLOCK,
        without=draws.SIZES_ONLY
        | {
            "masked row": "a new token sees itself",
            "ragged": "nothing is cut into tiles",
            "cross": "chunks after cached tokens are counted, and no mask is made",
            "grouped": "what heads share is in the numbers per token and per pair",
        },
    ),
    ENGINE_EXERCISE,
    replace(
        ENGINE_EXERCISE,
        function=continuous_batching.PreemptingEngine,
        oracle=right.PreemptingModel,
        cases=PREEMPTING,
        calls={"Engine": once},
        reads=partial(what_is_computed, right.PreemptingModel),
        budget=engine_budget(right.PreemptingModel),
    ),
    replace(
        ENGINE_EXERCISE,
        function=continuous_batching.SharingEngine,
        oracle=right.SharingModel,
        points=3,
        cases=SHARING,
        calls={"PreemptingEngine": once},
        reads=partial(what_is_computed, right.SharingModel),
        budget=engine_budget(right.SharingModel),
    ),
    Exercise(
        function=continuous_batching.ragged_attention,
        kernels=(continuous_batching.ragged_kernel,),
        oracle=right.each_by_itself,
        outputs=(Output("O"),),
        points=4,
        backend="triton",
        forbidden=flash_tiles.FORBIDDEN,
        cases=RAGGED,
        compiled=chunks([(64, 700), (1, 300)], kv_heads=2, group=8, d=128, dtype="float16", tiles=64),
        budget=Budget(
            is_the_point=True,
            loads=Bound(
                ragged_loads,
                f"{paged.SEEN_BY_ROWS}, with 4 bytes of the table per key; 12 bytes for each program",
            ),
            again=ONE_TILE_EACH,
            asked=Bound(ragged_asked, paged.SEEN_BY_ROWS),
            narrow=paged.OFFSETS,
            products=Bound(packed_products, paged.SEEN_ROWS),
            stores=Bound(draws.bytes_of("q"), "o once"),
            memory=Bound(draws.bytes_of("q"), "o: no copy of queries, keys or values"),
            programs=Bound(
                programs_of_rows,
                "one for each tile of rows, or as many for each sequence as have the longest chunk",
                least=tiles_with_rows,
            ),
            busiest=draws.a_quarter_more(tile_of_rows, "a tile of packed rows"),
            widest=paged.TWO_TILES,
            **flash_tiles.A_PAIR_AT_A_TIME,
        ),
        without={"strided": "contiguous inputs are part of the contract", "masked row": "a query sees itself"},
    ),
]

HARMONIC = sum(1 / i for i in range(1, 17))
QUESTIONS = [
    Question(
        name="exponential_slots",
        ask="16 slots, lengths that are exponentially distributed: what share of a static batch's slots is busy, on "
        "average over many batches?",
        answer=Quantity(1 / HARMONIC, "of the slots", rel=0.1),
        why=f"The longest of 16 is on average 1 + 1/2 + ... + 1/16 = {HARMONIC:.2f} times the mean, so "
        f"1 / {HARMONIC:.2f} = {1 / HARMONIC:.2f} of the slots are busy.",
    ),
    Question(
        name="free_tokens",
        ask=f"Numbers of 2 bytes, an H200 of {PEAK / 1e12:g} TFLOP/s and {BANDWIDTH / 1e12:g} TB/s: up to how many "
        "tokens may a step have before its matrices take longer than for one token?",
        answer=Quantity(RIDGE, "tokens", rel=0.02),
        why="Two operations for each token and weight against two bytes for each weight: t operations per byte, and "
        f"the ridge is at {RIDGE:.0f}.",
    ),
]
