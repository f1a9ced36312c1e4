"""Chunked prefill, a sliding window and sinks, a rolling cache, all of them together, and a kernel."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from math import ceil
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from autograder.exercises import draws, flash_tiles, window_tiles
from autograder.exercises.draws import SOME_FIFTY, Draw, drawn, sized, stairs
from autograder.exercises.flash_tiles import LARGE, SMALL
from autograder.spec.exercise import Arguments, Bound, Budget, Case, Exercise, Output, Quantity, Question
from kernels import long_context
from kernels.oracles import long_context as right

ITSELF = {
    "masked row": "every token sees at least itself",
    "grouped": "one head at a time here; grouped heads come in the lesson on grouped queries",
}
FORBIDDEN = ("scaled_dot_product",)
O_ONLY = (Output("O"),)


# Inputs.


@drawn
def heads(
    rng: Generator, /, n_q: int, n_k: int, d: int = 16, d_v: int = 12, level: ArrayLike = 0.0,
    profile: ArrayLike = 0.0, **rest: Any,
) -> Arguments:  # fmt: skip
    """q, k, v of one head, see `draws.qkv`."""
    made: dict[str, Any] = {"level": draws.on_grid(level, 32), "profile": draws.on_grid(profile, 32), "d_v": d_v}
    return draws.qkv(rng, (n_q, d), (n_k, d), spread=(2, 1), steps=32, **made, **rest)


@drawn
def transposed(rng: Generator, /, n_q: int, n_k: int, **rest: object) -> Arguments:
    """A head whose q and k are transposed views, and whose v is every second row of something longer."""
    given = draws.views(heads(n_q, n_k), q=(0, 1), k=(0, 1))(rng)
    return given | {"v": np.repeat(given["v"], 2, axis=0)[::2]} | rest


def ring(
    slots: int, window: int, script: Iterable[tuple[str, int]], d: int = 16, d_v: int = 12, draw: Draw | None = None
) -> Draw:
    """Operations on a cache: ("append", n) hands it the next n tokens, ("attend", n) asks for the newest n, and after
    ("positions", 0) the ring itself is looked at.

    The tokens are those of the head that `draw` makes, or of a plain one.
    """
    script = list(script)
    total = sum(n for method, n in script if method == "append")

    def steps(rng: Generator) -> Arguments:
        given = (draw or heads(total, total, d, d_v))(rng)
        made, length = [], 0
        for method, n in script:
            rows = slice(length, length + n) if method == "append" else slice(max(length - n, 0), max(length, n))
            names = {"append": ("k", "v"), "attend": ("q",), "positions": ()}[method]
            made.append((method, {name: given[name][rows] for name in names}))
            made += [(".k", {}), (".v", {})] * (method == "positions")
            length += n if method == "append" else 0
        return {"init": {"slots": slots, "window": window, "d": d, "d_v": d_v}, "steps": made}

    return steps


def by(sizes: Iterable[int], asked: int | None = None) -> list[tuple[str, int]]:
    """Append so many tokens at a time, asking for all that came, or for `asked`; look at the positions last."""
    steps = [step for n in sizes for step in (("append", n), ("attend", n if asked is None else asked))]
    return [*steps, ("positions", 0)]


def looking(sizes: Iterable[int]) -> list[tuple[str, int]]:
    """Append so many tokens at a time, each time looking at the positions and asking for the newest token."""
    return [step for n in sizes for step in (("append", n), ("positions", 0), ("attend", 1))]


# The situations, in the same words for every exercise that has them.

SINGLE = "one query, one key, one value"
PAST_HIGHER = "every five keys score 12000 less than those before, so that what is left behind is higher"
RISING = "the scores grow along the keys, so the maximum is always new, and 200 higher at the last key"

NEGATIVE = "the scale is -0.5: of each five keys one has the largest product, which is the smallest score"
UP, DOWN, FAR = np.linspace(150, 250, 37), np.linspace(-500, -150, 37), np.linspace(*draws.DEEP, 37)
CLIMB = 0.5 * np.arange(37) + draws.at_last(37)


def situations(**rest: Any) -> list[Case]:
    """What every form of causal attention over 37 tokens has to stand."""
    without_sinks: dict[str, Any] = {name: 0 if name == "sinks" else value for name, value in rest.items()}
    return [
        Case("cross", "5 queries at the end of 37 keys: 32 tokens are cached already", heads(5, 37, 16, 6, **rest)),
        Case("decode-step", "one query at the end of 37 keys: a decode step", heads(1, 37, **rest)),
        Case("no-query", "the whole prompt is cached: no query is left", heads(0, 37, **rest)),
        Case("scaled", "the scale is given: 1/8, not 1/sqrt(16)", heads(37, 37, scale=0.125, **rest)),
        Case("large-positive", LARGE, heads(37, 37, level=UP, **rest)),
        Case("very-negative", SMALL, heads(37, 37, level=DOWN, **rest)),
        Case("rising", RISING, heads(37, 37, profile=CLIMB, **rest)),
        Case("far-below", draws.FAR_BELOW, heads(37, 37, level=FAR, **rest)),
        Case("outlier", draws.OUTLIER, heads(37, 37, profile=draws.outlier(37), shuffled=True, **rest)),
        Case("zero-scale", "the scale is 0: all keys weigh alike", heads(21, 37, scale=0.0, **rest)),
        Case("negative-scale", NEGATIVE, heads(21, 37, profile=120.0 * (np.arange(37) % 5 == 3), scale=-0.5, **rest)),
        Case("strided", "q and k are transposed views, v has gaps", transposed(37, 37, **rest)),
        Case("hidden-higher", draws.HIDDEN_HIGHER, heads(21, 21, profile=stairs(21), **rest)),
        Case("past-higher", PAST_HIGHER, heads(21, 21, profile=stairs(21)[::-1], **without_sinks)),
        draws.billions_below(heads(37, 37, **rest)),
    ]


C_LARGE = "256 tokens in chunks of 128: operations are counted"
C_VIEWS = "memory: 300 tokens in chunks of 8; q and k are transposed views, v has gaps"
C_CROSS = "21 queries in chunks of 8 at the end of 37 keys: 16 tokens are cached already"

FEW_CHUNKS = "memory: some 50 tokens in chunks of 2: all scores at once are too large"
MEMORY = "memory: some 300 tokens in chunks of 8"
CHUNKS = [
    Case("plain", "six tokens in chunks of two", heads(6, 6, 4, 4, chunk=2), tile=(2, 4)),
    Case("single", SINGLE, heads(1, 1, 1, 1, chunk=8)),
    Case("ragged", "37 tokens in chunks of 16: the last chunk has 5", heads(37, 37, chunk=16), tile=(16, 8)),
    Case("chunks-of-one", "chunks of one token: the prompt is decoded", heads(21, 21, chunk=1)),
    Case("one-chunk", "one chunk, longer than the prompt", heads(21, 21, chunk=64)),
    Case("half-cached", C_CROSS, heads(21, 37, chunk=8), ("cross",), tile=(8, 8)),
    *situations(chunk=8),
    Case("light", draws.LIGHT, draws.light(heads(37, 37, chunk=8), 16, 24)),
    draws.metered("memory", MEMORY, sized(heads, range(280, 300), range(300, 320), chunk=8)),
    draws.metered("few-tokens", FEW_CHUNKS, sized(heads, SOME_FIFTY, range(60, 76), 4, 4, chunk=2)),
    draws.metered("large-chunks", C_LARGE, heads(256, 256, chunk=128)),
    draws.metered("counted", "80 tokens in chunks of 16: products are counted", heads(80, 80, chunk=16)),
    Case("strided-memory", C_VIEWS, transposed(300, 300, chunk=8)),
]


def chunk_operators(a: Arguments) -> int:
    """40 for each chunk, and for each pair of a chunk and as many keys that it may see."""
    n_q, n_k, chunk = len(a["q"]), len(a["k"]), a["chunk"]
    seen = min(n_k, a.get("sinks", 0) + a["window"] + chunk - 1) if "window" in a else n_k
    return 40 * max(1, ceil(n_q / chunk)) * (1 + ceil(seen / chunk))


def chunk_memory(a: Arguments) -> int:
    """The output, and five matrices of one chunk's scores and rows of the output."""
    (n_q, d_v), n_k = (len(a["q"]), a["v"].shape[1]), len(a["k"])
    return 4 * (n_q * d_v + 5 * a["chunk"] * (n_k + d_v))


def products_of_chunks(a: Arguments) -> int:
    """Multiplications of each query with all keys, or with those that its chunk sees and a chunk beside."""
    n_k = len(a["k"])
    seen = min(n_k, a["window"] + a["sinks"] + 2 * a["chunk"]) if "window" in a else n_k
    return draws.each_score_once(a["q"], a["v"], seen)


BY_CHUNKS = Budget(
    is_the_point=True,
    memory=Bound(chunk_memory, "4 bytes * (N_q d_v + 5 chunk (N_k + d_v)): a few copies of one chunk's scores"),
    operators=Bound(chunk_operators, "40 for each chunk of queries, and for each chunk of keys that it may see"),
    product_calls=Bound(
        chunk_operators,
        "two or more for each chunk of queries",
        least=lambda a: 2 * ceil(len(a["q"]) / a["chunk"]),
    ),
    product_rows=Bound(lambda a: a["chunk"], "queries of one chunk"),
    products=Bound(
        products_of_chunks, "d + d_v for each query and each key of its chunk, and an eighth more", everywhere=True
    ),
    apart=flash_tiles.NEIGHBOURS,
)

R_OFFSETS = "five slots, a window of three, tokens in pairs: an append begins at every offset"
R_LONG = "five slots, appends of 3, 5, 7, 0, 12 and 11 tokens"
R_CHUNKS = "chunks of 4 with a window of 6 in 9 slots; the last chunk has 3"
R_EMPTY = "16 slots, a window of 16, and only 5 tokens: the other slots are empty"
R_FULL = "a window of 10^10, and as many tokens as slots: all of them are still there"
R_OLD = "12 slots and a window of 3: the ring still holds tokens that are too old to be seen"
R_VIEWS = "memory: 640 tokens through 31 slots; q and k are transposed views, v has gaps"
R_LOST = "8 slots, a window of 6: queries before there are tokens are refused, and queries that have lost a key"
LOST = [("positions", 0), ("attend", 1), ("append", 10), ("attend", 3), ("attend", 4), ("append", 1), ("attend", 1)]
R_FIRST = "8 slots, a window of 8: the ninth token replaces the first, which the older of two queries still sees"
FIRST_LOST = [("append", 8), ("attend", 8), ("append", 1), ("attend", 2), ("attend", 1)]
R_SINGLES = "memory: 300 tokens, one at a time, of which nothing but they themselves is copied"
TEN_APPENDS = [*[("append", 64)] * 10, ("attend", 16)]

RING_KEYS = ["large-positive", "very-negative", "rising", "far-below", "outlier", "strided", "billions-below"]
RINGS = [
    Case("plain", "four slots, a window of four: six tokens, one at a time", ring(4, 4, by([1] * 6), d=4)),
    Case("single", "one slot, a window of one, keys and values of width 1", ring(1, 1, by([1, 1]), d=1, d_v=1)),
    Case("every-offset", R_OFFSETS, ring(5, 3, looking([2] * 6))),
    Case("long-appends", R_LONG, ring(5, 3, looking([3, 5, 7, 0, 12, 11]))),
    Case("ragged", R_CHUNKS, ring(9, 6, by([4, 4, 4, 4, 4, 3])), ("cross",)),
    Case("empty-slots", R_EMPTY, ring(16, 16, by([3, 2]))),
    Case("just-full", R_FULL, ring(5, 10**10, by([3, 2]))),
    Case("outside-window", R_OLD, ring(12, 3, by([20, 1, 1], asked=1))),
    Case("refused", R_LOST, ring(8, 6, LOST)),
    Case("first-replaced", R_FIRST, ring(8, 8, FIRST_LOST)),
    *[
        replace(case, draw=ring(17, 8, by([10, 9, 9, 9]), draw=case.draw))
        for case in situations()
        if case.key in RING_KEYS
    ],
    draws.metered("memory", "memory: 640 tokens through 310 slots", ring(310, 16, TEN_APPENDS)),
    draws.metered("one-by-one", R_SINGLES, ring(310, 16, [*[("append", 1)] * 300, ("attend", 4)])),
    Case("strided-memory", R_VIEWS, ring(31, 16, TEN_APPENDS, draw=transposed(640, 640))),
]


def ring_bytes(a: Arguments) -> int:
    """Those of its keys and values."""
    init = a["init"]
    return int(4 * init["slots"] * (init["d"] + init["d_v"]))


def queries_and_ring(a: Arguments) -> int:
    """Multiplications of each query with all slots, and an eighth more."""
    queries = sum(len(given["q"]) for _, given in a["steps"] if "q" in given)
    return 9 * queries * ring_bytes(a) // 32


def ring_memory(a: Arguments) -> int:
    """Three times the ring, and five matrices of the scores of the most queries at once."""
    init, queries = a["init"], (len(given["q"]) for _, given in a["steps"] if "q" in given)
    return 4 * init["slots"] * (3 * (init["d"] + init["d_v"]) + 5 * max(queries, default=0))


S_CROSS = "21 queries at the end of 37 keys: 16 tokens are cached already"
MANY_SINKS = "10^10 sinks: more than there are tokens"
S_ONE_FORGETS = "a window of 20, no sinks and 21 tokens: only the last one forgets, and only the first"
S_REST = "token 0 scores 10 above the rest: the head rests on it"

NARROW = "64 numbers for each key and 4 for each value: products with keys are counted"
NARROW_KEYS = "4 numbers for each key and 64 for each value: products with values are counted"

SINKS = [
    Case("plain", "eight tokens, a window of three, two sinks", heads(8, 8, 4, 4, window=3, sinks=2)),
    Case("single", SINGLE, heads(1, 1, 1, 1, window=1, sinks=1)),
    Case("no-sinks", "no sinks: the window alone", heads(21, 21, window=4, sinks=0)),
    Case("window-of-one", "a window of one, no sinks: every token sees itself alone", heads(21, 21, window=1, sinks=0)),
    Case("one-forgets", S_ONE_FORGETS, heads(21, 21, window=20, sinks=0)),
    Case("sinks-over-window", "more sinks than the window is wide", heads(21, 21, window=3, sinks=7)),
    Case("sinks-over-tokens", MANY_SINKS, heads(9, 9, window=3, sinks=10**10)),
    Case("wide-window", "a window of 2^63 - 1, which has to hide nothing", heads(21, 21, window=2**63 - 1, sinks=4)),
    Case("resting-head", S_REST, heads(37, 37, profile=np.where(np.arange(37) == 0, 10.0, 0.01), window=8, sinks=1)),
    Case("half-cached", S_CROSS, heads(21, 37, window=8, sinks=4), ("cross",)),
    *situations(window=8, sinks=4),
    draws.metered("counted", "some 40 queries and keys: products are counted", heads(40, 45, window=8, sinks=4)),
    draws.metered("narrow-values", NARROW, heads(40, 45, 64, 4, window=8, sinks=4)),
    draws.metered("narrow-keys", NARROW_KEYS, heads(40, 45, 4, 64, window=8, sinks=4)),
]


L_PLAIN = "eight tokens in chunks of two, a window of three, one sink"
L_RAGGED = "37 tokens in chunks of 16, a window of 8, 4 sinks: the last chunk has 5"
L_EARLY = "chunks of 2 and 5 sinks: the first chunks end before the sinks do"
BEHIND = "memory: the last 16 of some 4000 tokens: a mask of all keys is too large"
L_WIDE = "a window of 2^63 - 1 and a chunk longer than the sequence"
L_VIEWS = "memory: 320 tokens in chunks of 16; q and k are transposed views, v has gaps"
LONG_MEMORY = "4 bytes * (N_q d_v + M (d + d_v) + 6 chunk (M + d_v)) with M = sinks + window + chunk - 1"
L_MEMORY = "memory: some 320 tokens in chunks of 16, a window of 16, 4 sinks"

LONG = [
    Case("plain", L_PLAIN, heads(8, 8, 4, 4, chunk=2, window=3, sinks=1), tile=(2, 4)),
    Case("single", SINGLE, heads(1, 1, 1, 1, chunk=8, window=1, sinks=1)),
    Case("ragged", L_RAGGED, heads(37, 37, chunk=16, window=8, sinks=4), tile=(16, 8)),
    Case("chunks-in-sinks", L_EARLY, heads(21, 21, chunk=2, window=3, sinks=5)),
    Case("no-sinks", "no sinks, and no scale: both are left to their defaults", heads(37, 37, chunk=8, window=8)),
    Case("chunks-of-one", "chunks of one token", heads(21, 21, chunk=1, window=4, sinks=2)),
    Case("sinks-over-tokens", MANY_SINKS, heads(9, 9, chunk=4, window=3, sinks=10**10)),
    Case("wide-window", L_WIDE, heads(21, 21, chunk=32, window=2**63 - 1, sinks=4)),
    Case("half-cached", C_CROSS, heads(21, 37, chunk=8, window=6, sinks=4), ("cross",), tile=(8, 8)),
    *situations(chunk=8, window=8, sinks=4),
    draws.metered("memory", L_MEMORY, sized(heads, range(300, 330), range(330, 350), chunk=16, window=16, sinks=4)),
    draws.metered("few-tokens", FEW_CHUNKS, sized(heads, SOME_FIFTY, range(60, 76), 4, 4, chunk=2, window=4, sinks=1)),
    draws.metered("memory-behind", BEHIND, sized(heads, 16, range(3900, 4200), chunk=4, window=8, sinks=4)),
    draws.metered("large-chunks", C_LARGE, heads(256, 256, chunk=128, window=16, sinks=4)),
    Case("strided-memory", L_VIEWS, transposed(320, 320, chunk=16, window=16, sinks=4)),
]


def long_memory(a: Arguments) -> int:
    """The output, and for one chunk a copy of the keys and values it sees and six matrices of its scores."""
    (n_q, d), d_v, chunk = a["q"].shape, a["v"].shape[1], a["chunk"]
    most = a.get("sinks", 0) + a["window"] + chunk - 1
    return 4 * (n_q * d_v + most * (d + d_v) + 6 * chunk * (most + d_v))


exercise = partial(Exercise, backend="torch", outputs=O_ONLY, forbidden=FORBIDDEN, without=ITSELF)
EXERCISES = [
    exercise(
        function=long_context.chunked_prefill,
        oracle=right.in_chunks,
        points=2,
        cases=CHUNKS,
        budget=BY_CHUNKS,
    ),
    exercise(
        function=long_context.sink_attention,
        oracle=right.banded,
        points=2,
        cases=SINKS,
        budget=Budget(
            products=Bound(  # once for the window and once for the sinks
                lambda a: draws.each_score_once(a["q"], a["v"], 2 * len(a["k"])),
                "d + d_v for each query and each key, twice, and an eighth more",
                everywhere=True,
            )
        ),
        without=ITSELF | {"ragged": "the mask is one piece; nothing is cut into tiles"},
    ),
    exercise(
        function=long_context.RollingCache,
        oracle=right.Remembers,
        outputs=(),
        methods={
            "append": (),
            "positions": (Output("positions", "int64", exact=True, memory="copy"),),
            "attend": (Output("O", memory="copy"),),
            ".k": (Output("k", memory="view", has_gaps=True),),
            ".v": (Output("v", memory="view", has_gaps=True),),
        },
        errors=("LookupError",),
        points=3,
        cases=RINGS,
        budget=Budget(
            is_the_point=True,
            memory=Bound(
                ring_memory, "4 bytes * slots (3 (d + d_v) + 5 n): the ring, and the scores of the last n queries"
            ),
            held=Bound(
                lambda a: ring_bytes(a) + 8 * a["init"]["slots"] + 512, "the ring, 8 bytes for each slot, and 512"
            ),
            floats=Bound(ring_bytes, "the ring"),
            products=Bound(queries_and_ring, "d + d_v for each query and each slot, and an eighth more"),
            made=Bound(lambda a: draws.written_in_place(a, ring_bytes(a)), "what comes is written into the ring"),
        ),
    ),
    exercise(
        function=long_context.long_prefill,
        oracle=right.banded_in_chunks,
        points=3,
        cases=LONG,
        budget=replace(BY_CHUNKS, memory=Bound(long_memory, LONG_MEMORY)),
    ),
    exercise(
        function=long_context.window_flash,
        kernels=(long_context.window_flash_kernel,),
        oracle=right.banded_with_lse,
        outputs=(Output("O"), Output("L", "float32")),
        points=4,
        backend="triton",
        forbidden=flash_tiles.FORBIDDEN,
        cases=window_tiles.CASES,
        compiled=window_tiles.ON_A_GPU,
        budget=window_tiles.BUDGET,
        without={
            "masked row": ITSELF["masked row"],
            "grouped": "every head has its own keys here; a group is packed as in the lesson on grouped queries",
        },
        mutants=window_tiles.NUMERICS,
    ),
]

QUESTIONS = [
    Question(
        name="longest_chunk",
        ask="A prompt of 131072 tokens, 32 heads, scores in float32: how many tokens may a chunk have, if the scores "
        "of the last one are to take at most 1 GiB (2^30 bytes)?",
        answer=Quantity(64, "tokens"),
        why="One query's scores are 32 * 131072 * 4 bytes = 2^24, 16 MiB, and 2^30 / 2^24 = 64. The whole prompt's "
        "would take 2 TiB.",
    ),
    Question(
        name="reach_of_layers",
        ask="Every layer of a model has a window of 4096 tokens, the token itself included, and there are 32 layers. "
        "How many tokens back does the knowledge of a token reach?",
        answer=Quantity(131040, "tokens"),
        why="Each layer reaches 4095 tokens further back: 32 * 4095 = 131040.",
    ),
    Question(
        name="token_in_slot",
        ask="A ring of 8 slots has taken 21 tokens, numbers 0 to 20. Which one lies in slot 3?",
        answer=Quantity(19),
        why="The ring holds the last eight, 13 to 20, and 19 = 2 * 8 + 3 is the one with remainder 3.",
    ),
    Question(
        name="slots_for_a_chunk",
        ask="A window of 4096 and chunks of 512, which are appended before they are attended to: how many slots must "
        "the ring have at least?",
        answer=Quantity(4607, "slots"),
        why="The chunk's first token looks back 4095 tokens, and with it come the 512 of the chunk: 4096 + 512 - 1.",
    ),
    Question(
        name="growth_without_sink",
        ask="The first token has weight 0.8 in a query's softmax. It falls out of the window, and all other keys stay. "
        "By what factor do their weights grow?",
        answer=Quantity(5, rel=0.01),
        why="They summed to 0.2 and must sum to 1 now: each is divided by 0.2.",
    ),
    Question(
        name="tiles_to_causal",
        ask="65536 tokens, tiles of 64 queries and 64 keys, a window of 4096 and 4 sinks: to the nearest whole number, "
        "how many times as many tiles does causal attention visit?",
        answer=Quantity(8.02, "times", rel=0.03),
        why="A tile of queries sees about N / 2 keys if it is causal, and about w with a window: 65536 / 8192 = 8. To "
        "the tile: 524,800 / 65,439 = 8.02.",
    ),
]
