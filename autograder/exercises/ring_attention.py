"""Attention of one sequence on many ranks: keys that go round a ring, balance under a causal mask, gradients."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from math import ceil
from typing import Any

import numpy as np
import torch
from numpy.random import Generator

from autograder.exercises import draws
from autograder.exercises.draws import BILLIONS_BELOW, HIDDEN_HIGHER, Draw, at_last, drawn, metered, stairs, swapped
from autograder.exercises.measured import PEAK
from autograder.runner.ranks.world import BYTE
from autograder.spec.exercise import Arguments, Bound, Budget, Case, Exercise, Output, Quantity, Question, Tolerance
from kernels import ring_attention
from kernels.oracles import ring_attention as right

# Inputs.


@drawn
def on_ranks(
    rng: Generator, /, lengths: tuple[int, ...], heads: tuple[int, int] = (2, 1), d: int = 8, d_v: int = 6,
    level: tuple[float, float] = (0, 0), profile: Any = 0.0, first: float = 0.0, views: bool = False, **rest: Any,
) -> Arguments:  # fmt: skip
    """Shards of q, k and v with so many tokens each, heads = (H, H_kv), see `draws.qkv`; level: of the first query and
    of the last.

    first: what the first query scores on the first key, beside nothing on the others. views: each shard is laid out in
    another way.
    """
    n = sum(lengths)
    made: dict[str, Any] = {"level": np.linspace(*level, n), "profile": profile, "d_v": d_v, "spread": (1.5, 1)}
    whole = draws.qkv(rng, (heads[0], n, d), (heads[1], n, d), **made)
    if first:
        whole["q"][..., -1] = whole["k"][..., -1] = 0
        whole["q"][:, 0, -1], whole["k"][:, 0, -1] = first, d**0.5
    ends = np.cumsum(lengths)[:-1]
    shards = {name: np.split(x, ends, axis=1) for name, x in whole.items()}
    given = {name: [np.ascontiguousarray(x) for x in parts] for name, parts in shards.items()}
    if views:
        given["q"] = [swapped(x, 0, 1) for x in given["q"]]
        given["k"] = [np.repeat(x, 2, axis=1)[:, ::2] for x in given["k"]]
        given["v"] = [np.repeat(x, 2, axis=2)[..., ::2] for x in given["v"]]
    return given | {"lengths": lengths} | rest


@drawn
def placed(rng: Generator, /, n: int, size: int, layout: str = "zigzag", **rest: Any) -> Arguments:
    """Shards of a causal sequence, each token on its rank."""
    order, starts, _ = (x.numpy() for x in right.token_by_token(n, size, layout))
    positions = tuple(order[a:b] for a, b in pairwise(starts))
    given = on_ranks(tuple(map(len, positions)), **rest)(rng)
    del given["lengths"]
    return given | {"positions": positions}


@drawn
def in_a_row(rng: Generator, /, lengths: tuple[int, ...], **rest: Any) -> Arguments:
    """Shards of a causal sequence that is cut into contiguous pieces."""
    given = on_ranks(lengths, **rest)(rng)
    ends = np.cumsum((0, *lengths))
    del given["lengths"]
    return given | {"positions": tuple(np.arange(a, b) for a, b in pairwise(ends))}


@drawn
def backward(rng: Generator, /, lengths: tuple[int, ...], **rest: Any) -> Arguments:
    """The same for `ring_gradients`, with what the forward pass gave."""
    given = on_ranks(lengths, **rest)(rng)
    o, L = right.with_block(*(right.joined([torch.from_numpy(x).double() for x in given[name]]) for name in "qkv"))
    ends = np.cumsum(lengths)[:-1]
    do = rng.standard_normal(o.shape) + 1
    more = {"o": o.numpy(), "L": L.numpy(), "do": do}
    shards = {
        name: [np.ascontiguousarray(part) for part in np.split(x.astype(np.float32), ends, axis=1)]
        for name, x in more.items()
    }
    if rest.get("views"):
        shards["do"] = [swapped(x, 0, 1) for x in shards["do"]]
    return {**{name: given[name] for name in "qkv"}, **shards, "lengths": lengths}


# Budgets. All ranks have as many tokens in the cases that are made for them.


def sizes(a: Arguments) -> tuple[int, int, int, int, int, int]:
    """W, and of the largest shard H, N_r, H_kv, d, d_v."""
    q, k, v = (max(a[name], key=lambda x: x.shape[1]) for name in "qkv")
    return len(a["q"]), q.shape[0], q.shape[1], k.shape[0], q.shape[2], v.shape[2]


def token_bytes(a: Arguments) -> int:
    """K and V of one token."""
    _, _, _, kv_heads, d, d_v = sizes(a)
    return 4 * kv_heads * (d + d_v)


def block_bytes(a: Arguments) -> int:
    """K and V of the rank that has most."""
    return token_bytes(a) * sizes(a)[2]


def tokens(a: Arguments) -> list[int]:
    """How many each rank has."""
    return [shard.shape[1] for shard in a["q"]]


def a_ring(a: Arguments) -> int:
    """A rank hands on all blocks but that of the rank behind it."""
    return token_bytes(a) * (sum(tokens(a)) - min(tokens(a)))


def from_others(a: Arguments) -> int:
    """All blocks but its own come to a rank, whatever way they take."""
    return token_bytes(a) * (sum(tokens(a)) - max(tokens(a)))


def seen_pairs(a: Arguments) -> int:
    """Pairs of a query and a key that it sees, on the rank that has fewest."""
    if "positions" not in a:
        return min(tokens(a)) * sum(tokens(a))
    return min(int((np.asarray(own) + 1).sum()) for own in a["positions"])  # every position lies on one rank


def few_blocks(a: Arguments, results: int) -> int:
    """Three blocks, the queries, four times the scores of one block, and its results so many times."""
    _, heads, n, _, d, d_v = sizes(a)
    return 3 * block_bytes(a) + 4 * heads * n * (d + 4 * (n + 1) + results * (d_v + 1))


def blocks_and_gradients(a: Arguments) -> int:
    """Eight blocks, six times the scores of one block and the queries, and twice the outputs."""
    _, heads, n, _, d, d_v = sizes(a)
    return 8 * block_bytes(a) + 4 * heads * n * (6 * (n + d) + 2 * d_v)


def products(a: Arguments, with_keys: int, with_values: int) -> int:
    """So many products of all queries with every block of keys, or of values, and three tenths for the rest."""
    size, heads, n, _, d, d_v = sizes(a)
    return int(1.3 * size * heads * n * n * (with_keys * d + with_values * d_v))


def pairs_of_chunks(a: Arguments) -> int:
    """2 W + 1 pairs, each with four operations for each score and three and a half for each number of the output."""
    _, heads, n, _, d, d_v = sizes(a)
    half = ceil(n / 2)
    return int((2 * len(a["q"]) + 1) * heads * half * (half * (d + d_v + 4) + 3.5 * d_v))


ONE_WAY = Bound(lambda a: 0, "to rank + 1 alone")
RING = Budget(
    is_the_point=True,
    astray=ONE_WAY,
    memory=Bound(lambda a: few_blocks(a, 7), "three blocks of K and V, Q, four of scores, seven outputs, on one rank"),
    sent=Bound(a_ring, "(W - 1) blocks of K and V"),
    messages=Bound(lambda a: 2 * len(a["q"]) - 2, "two for each of W - 1 blocks"),
    received=Bound(from_others, "all ranks' K and V but its own, which come by messages alone"),
    work=Bound(lambda a: seen_pairs(a) * sizes(a)[1] * sum(sizes(a)[4:]),
        "two products for each pair of a query and a key that it sees"),
    clock=Bound(lambda a: products(a, 1, 1), "all blocks computed and none waited for"),
    waited=Bound(lambda a: BYTE * block_bytes(a), "as long as one block is on its way"),
)  # fmt: skip

GIVEN = {
    "masked row": "no query is masked here; the causal ring has a mask, in which every query sees itself",
    "cross": "each rank has as many queries as keys",
}
UP, DOWN = (200.0, 5000.0), (-200.0, -100000.0)
GROWTH = np.linspace(0, 10, 15) + np.stack([np.zeros(15), at_last(15)])
RISING = "the scores grow from rank to rank, for every other query by 200 at the last key"


def rings(draw: Callable[..., Draw], lowest: float, more: list[Case]) -> list[Case]:
    """The cases that the forward and the backward pass share, and more of one of them."""
    return [
        Case("plain", "four ranks of four tokens each", draw((4, 4, 4, 4))),
        Case("alone", "one rank has the whole sequence", draw((7,))),
        Case("single", "one token on one rank, one head", draw((1,), heads=(1, 1), d=4, d_v=1)),
        Case("two-ranks", "two ranks: the one before is the one behind", draw((5, 5))),
        Case("ragged", "14 tokens on four ranks: 4, 4, 3 and 3", draw((4, 4, 3, 3))),
        Case("empty-rank", "one of three ranks has no token", draw((3, 0, 4))),
        Case("grouped", "six query heads share two heads of keys and values", draw((4, 3, 4), heads=(6, 2))),
        Case("rising", RISING, draw((5, 5, 5), profile=GROWTH)),
        Case("large-positive", "scores from 200 to 5000, where exp overflows", draw((4, 4, 4), level=UP)),
        Case("very-negative", f"scores from -200 down to {lowest:.0f}", draw((4, 4, 4), level=(-200.0, lowest))),
        Case("strided", "shards are views, each laid out in its own way", draw((4, 5, 4), heads=(4, 2), views=True)),
        *more,
    ]


FORWARD = rings(on_ranks, -1e5, [
    Case("far-apart", "each rank's scores are 800 above the last one's",
         on_ranks((4, 4, 4), profile=np.repeat([0.0, 800.0, 1600.0], 4))),
    Case("billions-below", "one token, which the second of three ranks has: it scores -2e9, and empty ranks no number",
         on_ranks((0, 1, 0), d=16, first=-2e9)),
    metered("budget", "twelve ranks of 12 tokens: memory, bytes, the clock; a block takes more than half a step",
         on_ranks(12 * (12,), heads=(1, 1), d=16, d_v=16)),
    metered("wide-keys", "twelve ranks, keys of 128 numbers and values of 4: five blocks are too large",
         on_ranks(12 * (16,), heads=(1, 1), d=128, d_v=4)),
    metered("wide-values", "twelve ranks, keys of 4 numbers and values of 128: all blocks' results are too large",
         on_ranks(12 * (16,), heads=(1, 1), d=4, d_v=128)),
])  # fmt: skip

OUTPUTS = (Output("o"), Output("L"))
RING_ATTENTION = Exercise(
    function=ring_attention.ring_attention, oracle=right.whole, cases=FORWARD, outputs=OUTPUTS, points=6,
    backend="ranks",
    budget=RING, forbidden=("scaled_dot_product", "barrier"), without=GIVEN,
)  # fmt: skip

CAUSAL = [
    Case("plain", "four ranks of four tokens in zigzag", placed(16, 4)),
    Case("alone", "one rank has the whole sequence", placed(7, 1)),
    Case("single", "one token on one rank, one head", placed(1, 1, heads=(1, 1), d=4, d_v=1)),
    Case("two-ranks", "two ranks", placed(12, 2)),
    Case("ragged", "21 tokens on four ranks in zigzag", placed(21, 4)),
    Case("few-tokens", "five tokens on four ranks: chunks are empty", placed(5, 4)),
    Case("striped", "13 tokens on three ranks in stripes", placed(13, 3, "stripe")),
    Case("contiguous", "ranks hold contiguous pieces of 5, 4 and 5 tokens", in_a_row((5, 4, 5))),
    Case("grouped", "six query heads share two heads of keys and values", placed(16, 2, heads=(6, 2))),
    Case("rising", "the scores grow along the sequence, by 200 at the last key",
         placed(16, 3, profile=np.linspace(0, 10, 16) + at_last(16))),
    Case("large-positive", "scores from 200 to 5000, where exp overflows", placed(12, 3, level=UP)),
    Case("very-negative", "scores from -200 down to -100000", placed(12, 3, level=DOWN)),
    Case("hidden-higher", HIDDEN_HIGHER, placed(21, 3, d=16, profile=stairs(21))),
    Case("billions-below", BILLIONS_BELOW, placed(13, 2, d=16, first=-2e9)),
    Case("strided", "shards are views, each laid out in its own way", placed(14, 3, heads=(4, 2), views=True)),
    metered("many-ranks", "eight ranks of 16 tokens, two heads: memory, bytes and the clock are watched",
         placed(128, 8, heads=(2, 2), d=16, d_v=16)),
    metered("budget", "four ranks of 32 tokens with wide heads: memory, bytes and the clock are watched",
         placed(128, 4, heads=(1, 1), d=128, d_v=128)),
    metered("wide-keys", "twelve ranks, keys of 128 numbers and values of 4: five blocks are too large",
         placed(192, 12, heads=(1, 1), d=128, d_v=4)),
    metered("wide-values", "twelve ranks, keys of 4 numbers and values of 128: all pairs' results are too large",
         placed(192, 12, heads=(1, 1), d=4, d_v=128)),
]  # fmt: skip
CAUSAL_RING = Exercise(
    function=ring_attention.causal_ring, oracle=right.whole_causal, cases=CAUSAL, outputs=OUTPUTS, points=5,
    backend="ranks",
    budget=replace(
        RING,
        memory=Bound(
            lambda a: few_blocks(a, 3), "three blocks of K and V, Q, four of scores, three outputs, on one rank"
        ),
        clock=Bound(pairs_of_chunks, "2 W + 1 pairs of chunks on every rank, and none waited for"),
    ),
    forbidden=("scaled_dot_product", "barrier"),
    without=GIVEN | {"masked row": "every query sees its own key"},
)  # fmt: skip


def orders() -> list[Case]:
    def drawn_from(n: range, size: int, layout: str) -> Draw:
        return lambda rng: {"n": int(rng.choice(n)), "size": size, "layout": layout}

    def case(key: str, name: str, n: range, size: int, layout: str, *regimes: str) -> Case:
        return Case(key, name, drawn_from(n, size, layout), regimes)

    return [
        case("plain", "12 to 20 tokens, as many on each of four ranks, in stripes", range(12, 21, 4), 4, "stripe"),
        case("zigzag", "16, 24 or 32 tokens on four ranks in zigzag", range(16, 33, 8), 4, "zigzag"),
        case("ragged", "16 to 19 tokens on five ranks in stripes", range(16, 20), 5, "stripe"),
        case("ragged-zigzag", "19 to 23 tokens on three ranks in zigzag", range(19, 24), 3, "zigzag"),
        case("single", "one token on one rank", range(1, 2), 1, "zigzag"),
        case("alone", "an odd number of tokens on one rank in zigzag", range(7, 16, 2), 1, "zigzag"),
        case("few-tokens", "two or three tokens on four ranks in zigzag: some are empty", range(2, 4), 4, "zigzag"),
        case("few-striped", "one or two tokens on five ranks in stripes: most are empty", range(1, 3), 5, "stripe"),
        case("eight-ranks", "some 100 tokens on eight ranks in zigzag", range(97, 112), 8, "zigzag"),
        metered("many-tokens", "memory: some 2000 tokens on three ranks", drawn_from(range(1990, 2010), 3, "zigzag")),
        metered("many-ranks", "memory: some 1000 tokens on 500 ranks", drawn_from(range(990, 1010), 500, "stripe")),
    ]


def tokens_and_ranks(a: Arguments) -> int:
    """32 whole numbers for each token and for each rank, and 16 kB."""
    return 256 * int(a["n"] + a["size"]) + 16384


PLACES = ("order", "starts", "inverse")
TOKEN_ORDER = Exercise(
    function=ring_attention.token_order, oracle=right.token_by_token, cases=orders(),
    outputs=tuple(Output(name, "int64", exact=True) for name in PLACES), points=3, backend="torch",
    budget=Budget(memory=Bound(tokens_and_ranks, "256 bytes for each token and each rank, and 16 kB")),
    without={
        name: "numbers are placed here, not computed with"
        for name in ("rising max", "large positive", "very negative", "masked row", "cross", "strided", "grouped")
    },
)  # fmt: skip

GRADIENTS = rings(backward, -5000, [
    metered("budget", "twelve ranks of eight tokens: memory, bytes and the clock are watched",
         backward(12 * (8,), heads=(1, 1), d=16, d_v=16)),
    metered("wide-keys", "twelve ranks, four heads of 128 numbers: the parts of dQ of all blocks are too large",
         backward(12 * (8,), heads=(4, 1), d=128, d_v=4)),
    metered("wide-values", "twelve ranks, keys of 4 numbers and values of 128: all blocks of K and V are too large",
         backward(12 * (8,), heads=(1, 1), d=4, d_v=128)),
])  # fmt: skip
RING_GRADIENTS = Exercise(
    function=ring_attention.ring_gradients, oracle=right.on_one_device, cases=GRADIENTS,
    outputs=(Output("dq"), Output("dk"), Output("dv")), points=5, backend="ranks", tolerance=Tolerance(factor=3.0),
    budget=Budget(
        is_the_point=True,
        astray=ONE_WAY,
        memory=Bound(blocks_and_gradients,
            "eight blocks of K and V, six of scores and of queries, two of outputs, on one rank"),
        sent=Bound(lambda a: a_ring(a) + (len(a["q"]) > 1) * token_bytes(a) * sum(tokens(a)),
            "(W - 1) blocks of K and V, W of dK and dV"),
        messages=Bound(lambda a: (4 * len(a["q"]) - 2) * (len(a["q"]) > 1), "two for each of these blocks"),
        received=Bound(lambda a: from_others(a) + (len(a["q"]) > 1) * token_bytes(a) * min(tokens(a)),
            "all ranks' K and V but its own, and its own gradients, which come by messages alone"),
        work=Bound(lambda a: seen_pairs(a) * sizes(a)[1] * (3 * sizes(a)[4] + 2 * sizes(a)[5]),
            "five products for each pair of a query and a key"),
        clock=Bound(lambda a: products(a, 3, 2) + BYTE * block_bytes(a),
            "all blocks computed, and only the last gradients waited for"),
        waited=Bound(lambda a: 2 * BYTE * block_bytes(a), "as long as the last gradients and a block are on their way"),
    ),
    forbidden=("scaled_dot_product", "autograd", "backward", "requires_grad", "barrier"),
    without=GIVEN,
)  # fmt: skip

EXERCISES = [RING_ATTENTION, TOKEN_ORDER, CAUSAL_RING, RING_GRADIENTS]

NVLINK = 450e9  # bytes per second, one way; a data sheet's figure

QUESTIONS = [
    Question(
        name="blocks_held",
        ask="64 ranks share a sequence, each with a block of keys and values. How many times as much memory do keys "
        "and values take on a rank that gathers all of them, as on one that holds its block and the next?",
        answer=Quantity(32, "times"),
        why="64 blocks against two, whatever a block's size. With W ranks it is W / 2.",
    ),
    Question(
        name="tokens_that_hide",
        ask=f"Products at {PEAK / 1e12:.0f} TFLOP/s, and a link that takes 450 GB/s from a rank to the next: how many "
        "tokens must a rank have for a step's products to last as long as its transfer, in 16 bits, with as many "
        "KV heads as query heads?",
        answer=Quantity(PEAK / NVLINK, "tokens", rel=0.03),
        why=f"C = F / B = {PEAK:.3g} / 4.5e11 = {PEAK / NVLINK:.0f} tokens. Neither d nor the number of heads matters.",
    ),
    Question(
        name="contiguous_to_balanced",
        ask="A causal sequence on eight ranks in contiguous pieces: how many times as long as with equal work on all "
        "of them does the slowest rank take? Count the block on the diagonal as half a block.",
        answer=Quantity(1.875, "times", rel=0.01),
        why="The last rank has seven blocks and a half. All together have 28 + 8 / 2 = 32, or four each: 7.5 / 4.",
    ),
]
