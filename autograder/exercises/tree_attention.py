"""Decoding with a cache on many ranks: a shard's attention, merged by all_reduce and by a tree; bytes and rounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.random import Generator

from autograder.exercises import draws
from autograder.exercises.draws import LAST_HIGHER, SIZES_ONLY, at_last, drawn, metered, numbers, outlier, swapped
from autograder.runner.ranks.world import BYTE
from autograder.spec.exercise import Arguments, Bound, Budget, Case, Exercise, Output, Quantity, Question
from kernels import tree_attention
from kernels.oracles import tree_attention as right

# Inputs.


@drawn
def shard(
    rng: Generator, /, lengths: Sequence[int], room: int, heads: tuple[int, int] = (2, 1), d: int = 6, d_v: int = 8,
    level: tuple[float, float] = (0, 0), profile: Any = 0.0, dtype: str = "float32", views: bool = False, **rest: Any,
) -> Arguments:  # fmt: skip
    """A rank's part of a cache, NaN after its keys; level and profile of the scores as in `draws.qkv`."""
    made: dict[str, Any] = {"level": np.linspace(*level, heads[0]), "profile": profile, "d_v": d_v, "dtype": dtype}
    shapes = (len(lengths), heads[0], d), (len(lengths), heads[1], room, d)
    q, k, v = draws.qkv(rng, *shapes, spread=(1.5, 1), **made).values()
    if views:
        q, k, v = swapped(q, 0, 1), swapped(k), np.repeat(v, 2, axis=3)[..., ::2]
    for b, n in enumerate(lengths):
        k[b, :, n:] = v[b, :, n:] = np.nan
    return {"q": q, "k": k, "v": v, "lengths": np.array(lengths, np.int64)} | rest


EVERY = slice(None)


@drawn
def partials(
    rng: Generator, /, size: int, batch: int = 2, heads: int = 2, d_v: int = 6, level: tuple[float, float] = (0, 0),
    profile: Any = 0.0, without: Sequence[tuple[Any, Any]] = (), views: bool = False, light: Sequence[int] = (),
) -> Arguments:  # fmt: skip
    """o and L of each rank. level: of L, from the first sequence's first head to the last one's last. profile: for each
    rank. without: (ranks, sequences) with no key. light: ranks, whose parts are as `draws.lighten_part` has them.
    """
    L = 2 * rng.standard_normal((size, batch, heads)) + np.linspace(*level, batch * heads).reshape(batch, heads)
    L += np.reshape(profile, (-1, 1, 1))
    o = rng.standard_normal((size, batch, heads, d_v)) + np.linspace(-2, 2, size)[:, None, None, None]
    for ranks, sequences in without:
        L[ranks, sequences], o[ranks, sequences] = -np.inf, 0
    for rank in light:
        draws.lighten_part(o[rank], L[rank])
    given = {name: [x.copy() for x in all_ranks.astype(np.float32)] for name, all_ranks in (("o", o), ("L", L))}
    return {name: [swapped(x, 0, 1) for x in shards] for name, shards in given.items()} if views else given


@drawn
def growing(
    rng: Generator, /, size: int, lengths: Sequence[int], steps: int, heads: tuple[int, int] = (2, 1), d: int = 6,
    d_v: int = 8, level: tuple[float, float] = (0, 0), profile: tuple[float, float] = (0, 0), last: float = 0.0,
    views: bool = False, room: int = 1,
) -> Arguments:  # fmt: skip
    """Prompts in stripes, NaN after their tokens, and new tokens. profile: of the scores, to the last token of all,
    which scores `last` more. room: how many times the rows that the caches have are those that are needed.
    """
    batch, most = len(lengths), max(lengths) + steps
    along = np.linspace(*profile, most) + last * (np.arange(most) == most - 1)
    made: dict[str, Any] = {"level": np.linspace(*level, heads[0]), "profile": along, "d_v": d_v, "spread": (1.5, 1)}
    q, k, v = draws.qkv(rng, (steps, batch, heads[0], d), (batch, heads[1], most, d), **made).values()
    given: Arguments = {"q": swapped(q) if views else q}
    for name, x in (("k", k), ("v", v)):
        shards = np.full((size, *x.shape[:2], room * -(-most // size), x.shape[3]), np.nan, np.float32)
        new = [x[b, :, n : n + steps] for b, n in enumerate(lengths)]
        for b, n in enumerate(lengths):
            for i in range(n):
                shards[i % size, b, :, i // size] = x[b, :, i]
        given[name] = [swapped(part) if views else part.copy() for part in shards]
        each = np.ascontiguousarray(np.stack(new).transpose(2, 0, 1, 3))
        given[f"{name}_new"] = swapped(each, 0, 1) if views else each
    return given | {"lengths": np.array(lengths, np.int64)}


# Budgets.


def rounds(size: int) -> int:
    levels, folds = right.tree_of(size)
    return levels + 2 * folds


def messages(size: int) -> int:
    return sum(right.tree_of(size))


def result_bytes(a: Arguments, more: int = 1) -> int:
    """B H (d_v + 1) numbers, or with more than one for each head beside o."""
    batch, heads, d_v = a["o"][0].shape
    return int(4 * batch * heads * (d_v + more))


def by_ring(a: Arguments) -> int:
    """What a rank sends of L and then of o with the denominators, each 2 (W - 1) / W times."""
    size, both = len(a["L"]), (a["L"][0].nbytes, result_bytes(a))
    return sum(2 * (size - 1) * x // size for x in both)


def step_bytes(a: Arguments) -> int:
    """What one message of a step of decoding has."""
    _, batch, heads, _ = a["q"].shape
    return int(4 * batch * heads * (a["v_new"].shape[3] + 1))


def step_time(a: Arguments) -> int:
    """A rank's share of the last step's keys and three tenths more, and the messages with a tenth."""
    return int(1.3 * share_of_a_step(a) + 1.1 * BYTE * rounds(len(a["k"])) * step_bytes(a))


def share_of_a_step(a: Arguments) -> int:
    """A rank's multiplications in the last step."""
    (steps, batch, heads, d), d_v = a["q"].shape, a["v"][0].shape[-1]
    share = -(-(int(max(a["lengths"])) + steps) // len(a["k"]))
    return int(batch * heads * share * (d + d_v))


def least_of_a_rank(a: Arguments) -> int:
    """The multiplications of the rank whose own tokens are fewest, in all steps together."""
    (steps, _, heads, d), d_v = a["q"].shape, a["v"][0].shape[-1]
    seen = a["lengths"] + np.arange(1, steps + 1)[:, None]  # (T, B)
    own = min(int((-(-(seen - rank) // len(a["k"]))).sum()) for rank in range(len(a["k"])))
    return heads * own * (d + d_v)


UP, DOWN = (200.0, 5000.0), (-200.0, -100000.0)
BOTH = ("large positive", "very negative")
TWO_HUNDRED = np.where(np.arange(9) % 2, -200.0, 200.0)

DECODE_SHARD = Exercise(
    function=tree_attention.decode_shard, oracle=right.of_shard, points=3, backend="torch",
    outputs=(Output("o", "float32"), Output("L", "float32")),
    cases=[
        Case("plain", "one sequence of seven keys that fill their room", shard((7,), 7)),
        Case("single", "one key, one head, one number in a value", shard((1,), 1, heads=(1, 1), d=4, d_v=1)),
        Case("unlike", "three sequences of 5, 9 and 2 keys in room for 9, NaN after them", shard((5, 9, 2), 9),
             ("ragged",)),
        Case("no-key-of-one", "of three sequences the second has no key here", shard((4, 0, 3), 6), ("masked row",)),
        Case("no-key", "no sequence has a key here, and the room is full of NaN", shard((0, 0), 4)),
        Case("no-room", "a rank without room for a single key", shard((0, 0), 0)),
        Case("grouped", "six query heads share two heads of keys and values", shard((5, 3), 6, heads=(6, 2))),
        Case("scale-negative", "a scale of -0.3, and the first key's product with the queries far above the others'",
             shard((6, 4), 6, scale=-0.3, profile=outlier(6))),
        Case("zero-scale", "a scale of 0: every key weighs the same", shard((6, 4), 6, scale=0.0)),
        Case("rising", "the scores grow along the keys", shard((12,), 12, profile=np.linspace(0, 10, 12))),
        Case("max-last", LAST_HIGHER, shard((9,), 9, profile=at_last(9))),
        Case("plus-minus", "scores of 200 and of -200 in turns", shard((9,), 9, profile=TWO_HUNDRED)),
        Case("large-positive", "scores from 200 to 5000, where exp overflows", shard((8, 8), 8, level=UP), BOTH[:1]),
        Case("light", draws.LIGHT, draws.light(shard((12,), 12), 4, 8)),
        Case("very-negative", "scores from -200 down to -100000", shard((8, 8), 8, level=DOWN), BOTH[1:]),
        Case("billions-below", "one key with a score of -2e9, and NaN after it: no stand-in for -inf is lower",
             shard((1, 1), 3, level=(-2e9, -2e9))),
        Case("half", "float16, scores around 100: sums in 16 bits are off",
             shard((40, 25), 40, heads=(4, 2), level=(100.0, 104.0), dtype="float16")),
        Case("strided", "q, k and v are views, each laid out in its own way",
             shard((5, 7), 8, heads=(4, 2), views=True)),
        metered("budget", "16 query heads on one head of 2100 keys: memory is watched",
             shard((2100, 1300), 2100, heads=(16, 1), d=16, d_v=16)),
        metered("counted", "8 query heads on four heads of 120 keys: products are counted",
             shard((120, 119), 120, heads=(8, 4), d=16, d_v=16)),
    ],
    budget=Budget(
        is_the_point=True,
        products=Bound(lambda a: draws.each_score_once(a["q"], a["v"], a["k"].shape[2]),
            "d + d_v for each query head and each key of its own KV head, and an eighth more"),
        memory=Bound(lambda a: 2 * 4 * (a["k"].size + a["v"].size) + 4 * 4 * a["q"][..., 0].size * a["k"].shape[2],
            "two copies of K and V in float32, four times the scores"),
        copied=Bound(lambda a: 4 * (2 * (a["k"].size + a["v"].size) + 4 * a["q"].size), "K and V twice, q four times"),
        rounded=Bound(lambda a: 0, "all in float32"),
        widened=Bound(lambda a: 0, "all in float32"),
    ),
    forbidden=("scaled_dot_product",),
    without={"cross": "there is one query, which sees every key"},
)  # fmt: skip


def merges(watched: str) -> list[Case]:
    """The cases of both merges; `watched`: the sentence of the case that is made for the budget."""
    return [
        Case("plain", "four ranks, two sequences of two heads", partials(4)),
        Case("alone", "one rank has all keys", partials(1)),
        Case("single", "one sequence, one head, one number, on two ranks", partials(2, 1, 1, 1)),
        Case("three-ranks", "three ranks", partials(3)),
        Case("five-ranks", "five ranks, which are one more than four", partials(5), ("ragged",)),
        Case("empty-rank", "the second of four ranks has no key", partials(4, without=[(1, EVERY)])),
        Case("last-has-all", "the last of six ranks alone has keys, L near -2e9: no stand-in for -inf is lower",
             partials(6, batch=1, without=[(slice(0, 5), EVERY)], level=(-2e9, -2e9))),
        Case("unlike", "each of three ranks has no key of another one of three sequences",
             partials(3, batch=3, without=[(0, 1), (1, 2), (2, 0)])),
        Case("nobody", "of two sequences no rank has a key of the first", partials(4, without=[(EVERY, 0)]),
             ("masked row",)),
        Case("rising", "the log-sum-exps grow from rank to rank", partials(3, profile=np.linspace(0, 10, 3))),
        Case("far-apart", "each rank's log-sum-exps are 800 above the last one's",
             partials(4, profile=np.arange(4) * 800.0)),
        Case("light", draws.LIGHT_PART, partials(4, light=(1, 2))),
        Case("large-positive", "log-sum-exps from 200 to 5000", partials(4, level=UP), BOTH[:1]),
        Case("very-negative", "log-sum-exps from -200 down to -100000", partials(4, level=DOWN), BOTH[1:]),
        Case("strided", "o and L are views", partials(3, batch=3, views=True)),
        metered("budget", watched, partials(8, batch=2, heads=4, d_v=16)),
    ]  # fmt: skip


MERGED = {
    "cross": "queries and keys have become partial results by now",
    "grouped": "every query head has a result of its own",
}
OUTPUTS = (Output("o", alike=True), Output("L", alike=True))
MERGE_BY_ALL_REDUCE = Exercise(
    function=tree_attention.merge_by_all_reduce, oracle=right.over_ranks, outputs=OUTPUTS, points=4, backend="ranks",
    cases=merges("eight ranks: messages and bytes are watched"),
    budget=Budget(
        is_the_point=True,
        messages=Bound(lambda a: 2, "one for the maxima, one for numerators and denominators"),
        sent=Bound(by_ring, "all_reduce of B H, and of B H (d_v + 1) numbers"),
        compared=Bound(lambda a: a["L"][0].size * (len(a["L"]) > 1), "B H, of which the first call finds the maxima"),
    ),
    forbidden=("all_gather", "send", "recv", "barrier"),
    without=MERGED,
)  # fmt: skip

MERGE_BY_TREE = Exercise(
    function=tree_attention.merge_by_tree, oracle=right.over_ranks, outputs=OUTPUTS, points=6, backend="ranks",
    cases=merges("eight ranks: rounds, messages and bytes are watched"),
    budget=Budget(
        is_the_point=True,
        rounds=Bound(lambda a: rounds(len(a["o"])), "log2 of P, and two if ranks are left over"),
        messages=Bound(lambda a: messages(len(a["o"])), "one for each round in which a rank sends"),
        sent=Bound(lambda a: messages(len(a["o"])) * result_bytes(a), "B H (d_v + 1) numbers in each message"),
    ),
    forbidden=("all_reduce", "all_gather", "barrier"),
    without=MERGED,
)  # fmt: skip


def shapes() -> list[Case]:
    def case(key: str, name: str, way: str, size: int, *regimes: str, n: int = 4096, **more: Any) -> Case:
        draw = numbers(n=size * (n // size), heads=(4, 64), kv_heads=(1, 4), d=(16, 128), width=(1, 8), **more)
        return Case(key, name, lambda rng: {"way": way, "size": size} | draw(rng), regimes)

    return [
        case("plain", "a ring of four ranks", "ring", 4),
        case("tree", "a tree of four ranks", "tree", 4),
        case("single", "one rank in a ring", "ring", 1),
        case("alone", "one rank in a tree", "tree", 1),
        case("two-ranks", "a tree of two ranks", "tree", 2),
        case("three-ranks", "a tree of three ranks", "tree", 3, "ragged"),
        case("six-ranks", "a tree of six ranks, an even number that is no power of two", "tree", 6),
        case("many-ranks", "a tree of 1024 ranks", "tree", 1024),
        case("one-more", "a tree of 1025 ranks", "tree", 1025),
        case("half-a-billion", "a tree of 2^29 ranks: log(2^29, 2) is more than 29 in floats", "tree", 2**29, n=2**40),
        case("long", "a ring of 60 ranks with millions of tokens", "ring", 60, n=2**22),
    ]


DECODE_MESSAGES = Exercise(
    function=tree_attention.decode_messages, oracle=right.counted, cases=shapes(), points=2,
    outputs=(Output("rounds", "int64", exact=True), Output("sent", "int64", exact=True)),
    without=SIZES_ONLY | {
        "masked row": "messages are counted here, and a shard without keys sends as much as any",
        "cross": "there is one query for each head",
        "grouped": "query heads and KV heads are drawn, and counted apart",
    },
)  # fmt: skip

DECODE_TOKENS = Exercise(
    function=tree_attention.decode_tokens, oracle=right.whole_sequences, outputs=OUTPUTS[:1], points=4,
    backend="ranks",
    cases=[
        Case("plain", "four ranks, a prompt of eight tokens, three new ones", growing(4, (8,), 3)),
        Case("alone", "one rank has the whole cache", growing(1, (3,), 2)),
        Case("single", "one head, one token, on two ranks", growing(2, (1,), 1, heads=(1, 1), d=4, d_v=1)),
        Case("ragged", "three ranks, prompts of 2 and 7 tokens", growing(3, (2, 7), 3)),
        Case("few-tokens", "five ranks and a prompt of one token: most ranks have none", growing(5, (1,), 2)),
        Case("no-prompt", "four ranks, and no token yet: the first one is all there is", growing(4, (0, 0), 2)),
        Case("grouped", "six query heads share two heads of keys and values", growing(2, (5,), 2, heads=(6, 2))),
        Case("rising", "the scores grow along the sequence, by 200 at the last key",
             growing(3, (7,), 2, profile=(0, 10), last=200.0)),
        Case("large-positive", "scores from 200 to 5000", growing(2, (5,), 2, level=UP), BOTH[:1]),
        Case("very-negative", "scores from -200 down to -100000", growing(2, (5,), 2, level=DOWN), BOTH[1:]),
        Case("strided", "the caches and the new tokens are views", growing(2, (5, 4), 2, heads=(4, 2), views=True)),
        metered("budget", 
                "four ranks, prompts of 120 and 118 tokens, 16 more, and four times the room: the clock is watched",
                growing(4, (120, 118), 16, d=32, d_v=32, room=4)),
        metered("many-new", "four ranks, prompts of 8 and 6 tokens, 24 more: those of other ranks are too many",
                growing(4, (8, 6), 24, d=64, d_v=16)),
        metered("last-rank", "four ranks, six prompts of 23 tokens: the next one lies on the last rank",
                growing(4, (23,) * 6, 1, d=64)),
    ],
    budget=Budget(
        is_the_point=True,
        rounds=Bound(lambda a: len(a["q"]) * rounds(len(a["k"])), "those of a tree in each step", exactly=True),
        messages=Bound(lambda a: len(a["q"]) * messages(len(a["k"])), "those of a tree in each step"),
        sent=Bound(lambda a: len(a["q"]) * messages(len(a["k"])) * step_bytes(a),
            "B H (d_v + 1) numbers in each message, whatever the lengths"),
        at_once=Bound(lambda a: int(1.3 * share_of_a_step(a)), "a step's, before its messages, and three tenths more"),
        work=Bound(least_of_a_rank, "two products for each of the rank's own tokens"),
        clock=Bound(lambda a: len(a["q"]) * step_time(a), "no more than its share of the keys on any rank"),
    ),
    forbidden=("scaled_dot_product", "barrier"),
    without={
        "masked row": "a new token sees itself",
        "cross": "there is one query in a step, which sees every key",
    },
)  # fmt: skip

EXERCISES = [DECODE_SHARD, MERGE_BY_ALL_REDUCE, MERGE_BY_TREE, DECODE_MESSAGES, DECODE_TOKENS]

QUESTIONS = [
    Question(
        name="tokens_that_favour_a_tree",
        ask="Eight ranks, 64 query heads, 8 KV heads, d = 128, and a cache in 16 bits: from how many cached tokens on, "
        "over all ranks, does a rank send fewer bytes in the tree than in the ring?",
        answer=Quantity(27.65, "tokens", rel=0.04),
        why="Tree: 3 messages of 4 * 64 * 129 bytes. Ring: 7 blocks of N / 8 tokens, 2 * 2 * 8 * 128 bytes each. "
        "99,072 = 3584 N at N = 27.6: from 28 tokens on.",
    ),
    Question(
        name="rounds_of_a_ring",
        ask="1024 ranks: how many times as many rounds as the tree of step 3 do two calls of all_reduce take, each of "
        "which goes twice round a ring?",
        answer=Quantity(4 * 1023 / 10, "times", rel=0.01),
        why="A call goes round twice, 2 (W - 1) = 2046 rounds; two of them take 4092, and the tree log2(1024) = 10.",
    ),
    Question(
        name="ranks_that_pay",
        ask="One rank reads the cache in 1000 µs, W ranks read it in 1000 / W µs, and suppose that a round of messages "
        "takes 10 µs, whatever it carries. Of 1, 2, 4, 8, ... ranks in a tree: which number is fastest?",
        answer=Quantity(64, "ranks"),
        why="1000 / W + 10 log2(W): 81 µs on 32 ranks, 76 on 64, 78 on 128. From W to 2 W ranks a read gets shorter by "
        "500 / W µs and the tree longer by 10.",
    ),
]  # fmt: skip
