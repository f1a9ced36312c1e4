"""Attention over a cache of keys and values, the cache itself, its bytes and what it saves."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from autograder.exercises import draws
from autograder.exercises.flash_tiles import LARGE, scaling
from autograder.exercises.measured import RIDGE
from autograder.runner.meters.spies import BEFORE, BY_NUMBERS
from autograder.spec.exercise import Arguments, Bound, Budget, Case, Exercise, Output, Quantity, Question
from kernels import kv_cache
from kernels.oracles import kv_cache as right

COUNTED = draws.SIZES_ONLY | {"masked row": draws.SIZES_ONLY["rising max"], "ragged": "nothing is cut into tiles"}
UNTILED = {
    "ragged": "nothing is cut into tiles",
    "rising max": "a row of scores is seen at once",
    "masked row": "every token sees itself, so no row is masked whole",
    "grouped": "every head has its own keys until the lesson on grouped queries",
}
STORED = draws.no_scores("keys and values are stored, and no score is computed") | {
    "ragged": "nothing is cut into tiles",
    "masked row": "nothing is masked where keys and values are stored",
    "cross": "there are no queries here",
    "grouped": "a cache does not know how many query heads read it",
}
FORBIDDEN = ("scaled_dot_product",)


# Inputs.


@draws.drawn
def past_floats(
    rng: Generator, /, oracle: Callable[..., Any], kind: type = np.float64, **given: int | tuple[int, int]
) -> Arguments:
    """Whole numbers, drawn again until one of the answers is none that a float of that kind holds."""
    while True:
        drawn = draws.numbers(**given)(rng)
        if any(int(kind(count)) != count for count in np.atleast_1d(oracle(**drawn)).tolist()):
            return drawn


@draws.drawn
def qkv(
    rng: Generator, /, *shape: int, d: int = 16, d_v: int = 8, level: ArrayLike = 0.0, first: int = 0, among: int = 0
) -> dict[str, np.ndarray]:
    """q (B, H, n, d), k (B, H, N, d), v (B, H, N, d_v) in float32, with shape = (B, H, n, N).

    The scores, at the scale 1/sqrt(d), are about 2 * N(0, 1) + level, which is a number or one for each query. q and k
    are multiples of 1/16, so that for a scale that is a power of two the scores are exact in any order of summation.
    One key between `first` and `among` is drawn that scores 200 more than the rest.
    """
    *bh, n, n_k = shape
    q, k = (np.round(16 * 1.5 * rng.standard_normal((*bh, rows, d))) / 16 for rows in (n, n_k))
    if np.any(level):
        q[..., -1], k[..., -1] = level, d**0.5
    if among:
        q[..., -1], k[..., -1] = d**0.5, 0.01
        k[..., first:among, -1] = rng.permutation(draws.outlier(among - first))
    v = rng.standard_normal((*bh, n_k, d_v)) + np.linspace(-2, 2, n_k)[:, None]  # the mean drifts along the keys
    return {name: x.astype(np.float32) for name, x in (("q", q), ("k", k), ("v", v))}


@draws.drawn
def cache(
    rng: Generator, /, b: int, h: int, n: int, length: int, capacity: int, rest: float = 9.0, scale=None, **kinds: Any
) -> Arguments:
    """The newest n of `length` tokens, and a cache whose other slots hold leftovers: values raised by `rest`."""
    given = qkv(b, h, n, capacity, **kinds)(rng)
    k, v = given["k"], given["v"]
    v[:, :, length:] += np.float32(rest)
    if np.isnan(rest):
        k[:, :, length:] = np.nan
    arguments = {"q": given["q"], "k_cache": k, "v_cache": v, "length": length}
    return arguments if scale is None else arguments | {"scale": scale}


def tokens_first(arguments: Arguments) -> Arguments:
    """The arrays as transposed views, (B, N, H, d) in memory, but the values as (B, H, d, N)."""
    return {
        name: (draws.swapped(x, 2, 3) if name[0] == "v" else draws.swapped(x)) if isinstance(x, np.ndarray) else x
        for name, x in arguments.items()
    }


def strided(draw: draws.Draw) -> draws.Draw:
    return lambda rng: tokens_first(draw(rng))


def sequence(b: int, h: int, n: int, prompt: int, d: int = 16, **kinds: Any) -> draws.Draw:
    """A sequence of n tokens, of which the first `prompt` are read at once."""
    return lambda rng: qkv(b, h, n, n, d=d, d_v=d, **kinds)(rng) | {"prompt": prompt}


@draws.drawn
def appended(
    rng: Generator, /, batch: int, heads: int, capacity: int, d: int, *counts: int, views: bool = False
) -> Arguments:
    """A new cache is looked at; then, for each count, so many tokens are appended and it is looked at again."""
    steps: list[tuple[str, Arguments]] = [("contents", {})]
    for n in counts:
        pair = (rng.standard_normal((batch, heads, n, d)).astype(np.float32) for _ in "kv")
        given = dict(zip("kv", pair, strict=True))
        steps += [("append", tokens_first(given) if views else given), ("contents", {})]
    init = {"batch": batch, "heads": heads, "capacity": capacity, "d": d}
    return {"init": init, "steps": steps}


# The situations.
PAST_FLOATS = "counts beyond 2^53, which floats do not hold"
NEAR_LIMIT = "counts beyond a half of 2^63: what is still to be divided by 3 does not fit into 64 bits"
FEW_TOKENS = "few tokens given, few generated, a narrow layer"
FLOPS = [
    Case("plain", FEW_TOKENS, draws.numbers(prompt=(3, 5), new=(3, 6), width=(2, 5))),
    Case("single", "1 token given, 1 generated", draws.numbers(prompt=1, new=1, width=(1, 9))),
    Case("short-prompt", "1 token given, many generated", draws.numbers(prompt=1, new=(50, 80), width=(20, 40))),
    Case("one-written", "many tokens given, 1 generated", draws.numbers(prompt=(50, 80), new=1, width=(20, 40))),
    Case("wide-model", "the width of GPT-3, 12288", draws.numbers(prompt=(50, 70), new=(30, 50), width=12288)),
    Case(
        "large-counts",
        PAST_FLOATS,
        past_floats(right.every_pass, prompt=(280, 320), new=(280, 320), width=(250_000, 300_000)),
    ),
    Case(  # in so few passes that a loop over their tokens ends in a second or two
        "near-the-limit", NEAR_LIMIT, draws.numbers(prompt=(1_450_000, 1_550_000), new=2, width=(400_000, 420_000))
    ),
]

APART = "the scores of one head lie 400 below those of the other"

NEWEST = "the newest key scores 200 more than the rest, and the queries before it do not see it"

NEGATIVE = "the scale is -0.5, and one key's product with the queries is 800 larger than the others'"
MEMORY = "memory: 1 query, some 250 tokens in a cache for 20,000"
CHUNK_MEMORY = "memory: 8 queries, some 250 tokens in a cache for 2,000; the scale is given"
CACHED = [
    Case("plain", "the newest of 6 tokens, in a cache for 9", cache(1, 1, 1, 6, 9, d=4, d_v=6)),
    Case("single", "position 0: the first token, alone in its cache, d = 1", cache(1, 1, 1, 1, 3, d=1, d_v=1)),
    Case("cross", "the newest 4 of 21 tokens at once", cache(1, 2, 4, 21, 32)),
    Case("prefill", "9 tokens, all of them new", cache(1, 2, 9, 9, 16)),
    Case("full-cache", "the cache is filled to its last slot", cache(1, 2, 3, 16, 16)),
    Case("heads", "3 sequences with 2 heads, the newest 2 of 11 tokens", cache(3, 2, 2, 11, 16)),
    Case("unwritten-nan", "the slots that are not filled hold NaN", cache(1, 2, 3, 12, 20, rest=np.nan)),
    Case("scaled", "the scale is given: 0.125, not 1/sqrt(16)", cache(1, 2, 3, 12, 16, scale=0.125)),
    Case("large-positive", LARGE, cache(1, 2, 5, 23, 32, level=np.linspace(150, 250, 5))),
    Case("light", draws.LIGHT, draws.light(cache(1, 2, 5, 23, 32), 4, 12)),
    Case("far-below", draws.FAR_BELOW, cache(1, 2, 5, 23, 32, level=np.linspace(*draws.DEEP, 5))),
    draws.billions_below(cache(1, 2, 5, 5, 8)),
    Case("outlier", draws.OUTLIER, cache(1, 2, 5, 23, 32, among=19)),
    Case("hidden-higher", NEWEST, cache(1, 2, 5, 23, 32, first=22, among=23)),
    Case("heads-apart", APART, cache(1, 2, 3, 12, 16, level=np.array([[0], [-400]]))),
    Case("zero-scale", "the scale is 0: all keys weigh alike", cache(1, 2, 4, 13, 16, scale=0.0)),
    Case("negative-scale", NEGATIVE, cache(1, 2, 4, 13, 16, scale=-0.5, among=9)),
    Case("strided", "the cache lies in memory as (B, capacity, H, d)", strided(cache(2, 3, 4, 13, 16))),
    Case("no-query", "no token is new: there is no query, and no row to compute", cache(1, 2, 0, 12, 16)),
    draws.metered("memory", MEMORY, draws.sized(cache, 1, 2, 1, range(230, 270), 20_000)),
    draws.metered("chunk-memory", CHUNK_MEMORY, draws.sized(cache, 1, 2, 8, range(230, 270), 2_000, scale=0.125)),
]


def scores_of_one_pass(a: Arguments) -> int:
    """Six times the scores, and the output four times."""
    b, h, n, _ = a["q"].shape
    return 4 * b * h * n * (6 * a["length"] + 4 * a["v_cache"].shape[-1])


def queries_and_some(a: Arguments) -> int:
    """Four times q, and of the slots of the cache that are filled a sixteenth: no copies in pieces either."""
    return 4 * int(a["q"].nbytes) + some_of_the_cache(a)


def some_of_the_cache(a: Arguments) -> int:
    return sum(int(a[name][:, :, : a["length"]].nbytes) for name in ("k_cache", "v_cache")) // 16


REFUSED = "3 tokens for 2 slots are refused; nothing has changed, and 2 others fit"
FULL = "one token more, and then two, are refused by a full cache, which stays as it is"
LOOKED_AT = "memory: 40 tokens one at a time, looked at after each"

STORE = [
    Case("plain", "3 tokens, then 2 more, in a cache for 8", appended(1, 1, 8, 2, 3, 2)),
    Case("single", "one token in a cache for one, d = 1", appended(1, 1, 1, 1, 1)),
    Case("token-by-token", "a prompt of 5 tokens, then one token at a time", appended(1, 2, 12, 4, 5, 1, 1, 1)),
    Case("full-cache", "the last token goes into the last slot", appended(1, 2, 6, 4, 4, 1, 1)),
    Case("refused", REFUSED, appended(1, 2, 6, 4, 4, 3, 2)),
    Case("refused-when-full", FULL, appended(1, 2, 6, 4, 4, 2, 1, 2, 0)),
    Case("empty-append", "no token at all is appended, at first and to a full cache", appended(1, 2, 4, 4, 0, 4, 0)),
    Case("heads", "2 sequences with 3 heads", appended(2, 3, 9, 4, 3, 2)),
    Case("strided", "k and v are transposed views", appended(2, 3, 9, 4, 3, 2, views=True)),
    draws.metered("memory", LOOKED_AT, appended(1, 2, 40, 8, *40 * [1])),
]


def both_buffers(a: Arguments) -> int:
    return int(4 * 2 * math.prod(a["init"].values()))


STEPS_OF_VIEWS = "memory: 200 tokens after a prompt of 8, in transposed views"
SEQUENCES_MEMORY = "memory: some 200 tokens after a prompt of 8"
SEQUENCES = [
    Case("plain", "6 tokens, the first 3 of them a prompt", sequence(1, 1, 6, 3, d=4)),
    Case("single", "one token, which is the prompt, d = 1", sequence(1, 1, 1, 1, d=1)),
    Case("short-prompt", "9 tokens, a prompt of 1: decoded from position 1 on", sequence(1, 2, 9, 1)),
    Case("decode-step", "9 tokens, a prompt of 8: one decode step", sequence(1, 2, 9, 8)),
    draws.metered("prefill", "70 tokens, all of them prompt: nothing to decode", sequence(1, 1, 70, 70)),
    Case("heads", "3 sequences with 2 heads, 13 tokens, a prompt of 5", sequence(3, 2, 13, 5), ("cross",)),
    Case("large-positive", LARGE, sequence(1, 2, 11, 4, level=np.linspace(150, 250, 11))),
    Case("far-below", draws.FAR_BELOW, sequence(1, 2, 11, 6, level=np.linspace(*draws.DEEP, 11))),
    Case("outlier", draws.OUTLIER, sequence(1, 2, 11, 4, among=11)),
    draws.billions_below(sequence(1, 2, 5, 4)),
    Case("max-last", draws.LAST_HIGHER, sequence(1, 2, 11, 4, first=10, among=11)),
    Case("strided", "q, k and v are transposed views", strided(sequence(2, 3, 9, 4))),
    draws.metered("memory", SEQUENCES_MEMORY, draws.sized(sequence, 1, 2, range(190, 225), 8, d=4)),
    Case("strided-memory", STEPS_OF_VIEWS, strided(sequence(1, 2, 208, 8, d=4))),
]


def cache_and_one_pass(a: Arguments) -> int:
    """The cache, the output twice, and six times the scores of the prompt or of the last token."""
    b, h, n, d = a["k"].shape
    return 4 * b * h * (4 * n * d + 6 * (a["prompt"] ** 2 + n) + 4 * d)


def passes(a: Arguments) -> int:
    """One of the prompt, and one of each other token."""
    return 1 + int(a["q"].shape[2]) - int(a["prompt"])


def each_once(a: Arguments) -> range:
    """Every number of the keys is appended, and no more: what is appended twice is not the pass's own."""
    return range(a["k"].size, a["k"].size + 1)


def none_to_come(a: Arguments) -> range:
    """No more than a whole prompt, of all sequences and heads: what comes later waits for its own pass."""
    return range(a["k"].size // a["k"].shape[2] * a["prompt"] + 1)


def passes_of_each(a: Arguments) -> range:
    """As many, or as many for each sequence, each head, or each part of them by itself."""
    return range(passes(a), len(a["q"]) * a["q"].shape[1] * passes(a) + 1, passes(a))


def products_once(a: Arguments) -> int:
    """Multiplications of each pass over what the cache holds by then, and an eighth of them more."""
    n, prompt = a["q"].shape[2], a["prompt"]
    pairs = prompt * prompt + sum(range(prompt + 1, n + 1))
    return 9 * a["q"][..., 0, 0].size * pairs * (a["k"].shape[3] + a["v"].shape[3]) // 8


FEW = "the newest 3 tokens of a few, 6 query heads on 2 KV heads of width 4, numbers of 4 bytes"
STEP = "one decode step in a long sequence, 32 heads of width 128, numbers of 2 bytes"


def whole_prompt(rng: Generator) -> Arguments:
    n = 2 * int(rng.integers(125, 175))  # half of it is whole, half of n - 1 is not
    return {"new": n, "length": n, "heads": 4, "kv_heads": 4, "d": 64, "itemsize": 2}


SINGLE = "one token with one head"
SEVEN_EACH = "the newest tokens of many, 28 query heads on 4 KV heads, 7 to each, width 128, numbers of 2 bytes"
COST = [
    Case("plain", FEW, draws.numbers(new=3, length=(6, 9), heads=6, kv_heads=2, d=4, itemsize=4), ("cross",)),
    Case("single", SINGLE, draws.numbers(new=1, length=1, heads=1, kv_heads=1, d=(1, 9), itemsize=1)),
    Case("decode-step", STEP, draws.numbers(new=1, length=(3000, 5000), heads=32, kv_heads=32, d=128, itemsize=2)),
    Case("prefill", "a prefill: all tokens are new, 4 heads of width 64, numbers of 2 bytes", whole_prompt),
    Case(
        "grouped", SEVEN_EACH, draws.numbers(new=(50, 70), length=(900, 1100), heads=28, kv_heads=4, d=128, itemsize=2)
    ),
    Case(
        "large-counts",
        PAST_FLOATS,
        past_floats(
            right.look_at_each_query,
            new=(100_000, 120_000),
            length=(30_000_000, 40_000_000),
            heads=101,
            kv_heads=1,
            d=(121, 127),
            itemsize=2,
        ),
    ),
]

EXERCISES = [
    Exercise(
        function=kv_cache.generation_flops,
        oracle=right.every_pass,
        outputs=(Output("without", "int64", exact=True), Output("with", "int64", exact=True)),
        points=1,
        cases=FLOPS,
        without=COUNTED
        | {"cross": "a pass is counted as a whole", "grouped": "the width of all heads together is given"},
    ),
    Exercise(
        function=kv_cache.cached_attention,
        oracle=right.over_the_filled,
        outputs=(Output("O"),),
        points=3,
        backend="torch",
        forbidden=FORBIDDEN,
        cases=CACHED,
        mutants=scaling("(q @ k.transpose(2, 3))"),
        without=UNTILED,
        budget=Budget(
            is_the_point=True,
            memory=Bound(
                scores_of_one_pass, "4 bytes * B H n (6 length + 4 d_v): a few rows of scores, and no copy of the cache"
            ),
            copied=Bound(queries_and_some, "q four times, and a sixteenth of what the cache holds"),
            copied_keys=Bound(some_of_the_cache, "a sixteenth of what the cache holds"),
            products=Bound(
                lambda a: draws.each_score_once(a["q"], a["v_cache"], a["length"]),
                "d + d_v for each query and each cached token, and an eighth more",
            ),
        ),
    ),
    Exercise(
        function=kv_cache.KVCache,
        oracle=right.Tokens,
        outputs=(),
        methods={"append": (), "contents": (Output("keys", memory="view"), Output("values", memory="view"))},
        errors=("CacheFull",),
        points=3,
        backend="torch",
        cases=STORE,
        without=STORED,
        budget=Budget(
            is_the_point=True,
            memory=Bound(
                lambda a: 4 * 3 * math.prod(a["init"].values()),
                "4 bytes * 3 batch heads capacity d: both buffers and one more; contents are not copied",
            ),
            products=draws.NOTHING_MULTIPLIED,
            by_number=draws.NOTHING_MULTIPLIED,
            floats=Bound(both_buffers, "4 bytes * 2 batch heads capacity d"),
            made=Bound(lambda a: draws.written_in_place(a, both_buffers(a)), "what comes is written into the buffers"),
        ),
    ),
    Exercise(
        function=kv_cache.prefill_then_decode,
        oracle=right.in_one_pass,
        outputs=(Output("O"),),
        points=2,
        backend="torch",
        forbidden=FORBIDDEN,
        calls={
            "KVCache": lambda a: range(1, len(a["q"]) * a["q"].shape[1] + 1),  # one is enough, one a token too many
            "KVCache.append": passes_of_each,
            f"KVCache.append{BY_NUMBERS}": each_once,
            f"KVCache.append{BEFORE}cached_attention": none_to_come,
            "cached_attention": passes_of_each,
        },
        cases=SEQUENCES,
        without=UNTILED,
        budget=Budget(
            is_the_point=True,
            memory=Bound(
                cache_and_one_pass,
                "4 bytes * B H (4 N d + 6 (prompt^2 + N) + 4 d): the cache, O, and the scores of one pass",
            ),
            products=Bound(products_once, "d + d_v for each token of a pass and each that it sees, and an eighth more"),
            copied_keys=Bound(lambda a: 2 * (a["k"].nbytes + a["v"].nbytes), "k and v twice, once into the cache"),
        ),
    ),
    Exercise(
        function=kv_cache.cached_attention_cost,
        oracle=right.look_at_each_query,
        outputs=(Output("flops", "int64", exact=True), Output("bytes_moved", "int64", exact=True)),
        points=2,
        cases=COST,
        without=COUNTED,
    ),
]
COSTS = (kv_cache.cached_attention_cost(n, 4096, 32, 32, 128, 2) for n in range(1, 4097))
NEW_TOKENS = next(n for n, (flops, moved) in enumerate(COSTS, 1) if flops > RIDGE * moved)
QUESTIONS = [
    Question(
        name="times_the_work",
        ask="A model generates 1000 tokens after a prompt of 1000. How many times as many operations does a layer of "
        "width 4096 take without a cache as with one?",
        answer=Quantity(732, "times", rel=0.05),
        why="Without a cache the passes read 1000, 1001, ... 1999 tokens, 1,499,500 together; with one, 1999 are read. "
        "That is 750 times as many. The exact ratio is a little smaller, 732, since the tokens that are read most "
        "often are the first ones, which have fewer keys to look at.",
    ),
    Question(
        name="times_written",
        ask="A cache grows from nothing to 4096 tokens, one at a time, each time by torch.cat. How often is a key "
        "written on average?",
        answer=Quantity(2048.5, "times", rel=0.01),
        why="The first key is written 4096 times, the last one once, and the mean of 1 ... 4096 is 2048.5. A buffer of "
        "fixed size writes every key once.",
    ),
    Question(
        name="gpt3_fills",
        ask="GPT-3 has 96 layers of 96 heads of width 128. After how many tokens do the keys and values of one "
        "sequence, in numbers of 2 bytes, fill 141 GB (10^9 bytes)?",
        answer=Quantity(29_882, "tokens", rel=0.02),
        why="2 * 96 * 96 * 128 = 2,359,296 numbers per token are 4.72 MB, and 141e9 / 4.72e6 = 29,900. A sequence of "
        "4096 tokens takes 18 GiB.",
    ),
    Question(
        name="new_tokens",
        ask="32 heads with keys of their own, d = 128, numbers of 2 bytes, 4096 tokens in the cache, the new ones "
        "included: how many tokens have to be new at once before attention is bound by arithmetic on the H200 "
        f"({RIDGE:.0f} operations per byte)?",
        answer=Quantity(NEW_TOKENS, "tokens", rel=0.1),
        why="n new tokens make nearly n operations per byte, because each key that is read meets n queries. "
        f"{RIDGE:.0f} would do if Q and O were free and nothing were masked; as it is, {NEW_TOKENS}.",
    ),
]
