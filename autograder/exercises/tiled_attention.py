"""Lesson 07: tiled attention with the keys in the outer loop and with the queries there, and what each order moves."""

from collections.abc import Callable

import numpy as np
from numpy.random import Generator
from torch import Tensor

from autograder.exercises.draws import on_grid
from autograder.spec.exercise import Arguments, Budget, Case, Exercise, Mutant, Output, Question
from kernels import reference, tiled_attention

Draw = Callable[[Generator], Arguments]

MOVED = (Output("loads", "int64", exact=True), Output("stores", "int64", exact=True))
O_L = (Output("O"), Output("L"))
FORBIDDEN = ("softmax", "logsumexp", "logaddexp", "scaled_dot_product")

ONE_HEAD = {"grouped": "one head at a time here; grouped heads come in lesson 15"}
NO_MASK = {"masked row": "nothing is masked before step 6", "cross": "nothing is masked before step 6"}
SIZES = {
    "rising max": "sizes are counted here, and no score is computed",
    "large positive": "sizes are counted here, and no score is computed",
    "very negative": "sizes are counted here, and no score is computed",
    "strided": "the arguments are single numbers",
}


# What is right.


def lengths(n: int, tile: int) -> list[int]:
    """Rows of each tile."""
    return [min(tile, n - start) for start in range(0, n, tile)]


def state_carried(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    """Attention with all keys at once, and the accesses of keys in the outer loop."""
    (n_q, d), (n_k, d_v) = q.shape, v.shape
    s = reference.scores(q, k, scale=scale)
    m, l = reference.softmax_stats(s)
    passes = len(lengths(n_k, tile_n))
    loads = n_k * (d + d_v) + passes * n_q * (d + d_v + 2)
    return reference.softmax(s) @ v, m, l, loads, passes * n_q * (d_v + 2)


def state_kept(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    """Attention with all keys at once, and the accesses of queries in the outer loop."""
    (n_q, d), (n_k, d_v) = q.shape, v.shape
    loads = n_q * d + len(lengths(n_q, tile_m)) * n_k * (d + d_v)
    return *reference.attention(q, k, v, scale=scale), loads, n_q * (d_v + 1)


def state_kept_causal(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    """The same with a causal mask; of K and V only what lies in tiles that are seen is loaded."""
    (n_q, d), (n_k, d_v) = q.shape, v.shape
    loads = n_q * d
    for start in range(0, n_q, tile_m):
        _, seen = look_at_the_mask(start, min(start + tile_m, n_q), n_q, n_k, tile_n)
        loads += min(seen * tile_n, n_k) * (d + d_v)
    return *reference.attention(q, k, v, True, scale), loads, n_q * (d_v + 1)


def look_at_the_mask(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    """Cut the rows of the mask into tiles and count."""
    tiles = reference.causal_mask(n_q, n_k)[start:stop].split(tile_n, dim=1)
    full = sum(int(tile.shape[1] == tile_n and bool(tile.all())) for tile in tiles)
    return full, sum(int(tile.any()) for tile in tiles)


def walk_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    """The walk itself, counted."""
    loads = stores = 0
    for keys in lengths(n, tile_n):
        loads += 2 * keys * d
        for queries in lengths(n, tile_m):
            loads += 2 * queries * d + 2 * queries
            stores += queries * d + 2 * queries
    return loads, stores


def walk_queries_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    loads = stores = 0
    for queries in lengths(n, tile_m):
        loads += queries * d
        loads += sum(2 * keys * d for keys in lengths(n, tile_n))
        stores += queries * d + queries
    return loads, stores


# Inputs.


def head(n_q: int, n_k: int, d: int = 16, d_v: int = 8, level=0.0, profile=0.0, **rest: object) -> Draw:
    """q, k, v of one head whose scores, at the scale 1/sqrt(d), are about 2 * N(0, 1) + level + profile.

    `level` is a number or one for each query, `profile` a number or one for each key; `rest` is handed on. q and k are
    multiples of 1/16, so that with a scale that is a power of two the scores are exact in float32 in any order of
    summation, and what is judged is all that comes after them.
    """

    def draw(rng: Generator) -> Arguments:
        q, k = on_grid(1.5 * rng.standard_normal((n_q, d))), on_grid(1.5 * rng.standard_normal((n_k, d)))
        if np.any(level) or np.any(profile):
            q[..., -1], k[..., -1] = (level, d**0.5) if np.any(level) else (d**0.5, profile)
        v = rng.standard_normal((n_k, d_v)) + np.linspace(-2, 2, n_k)[:, None]  # the mean drifts along the keys
        return {name: x.astype(np.float32) for name, x in (("q", q), ("k", k), ("v", v))} | rest

    return draw


def transposed(n_q: int, n_k: int, **rest: object) -> Draw:
    """A head whose q, k and v are transposed views."""

    def draw(rng: Generator) -> Arguments:
        return {name: np.ascontiguousarray(x.T).T for name, x in head(n_q, n_k)(rng).items()} | rest

    return draw


def numbers(**given: int) -> Draw:
    return lambda rng: dict(given)


# The situations, in the same words for every loop.

SINGLE = "one query, one key, tiles of 8 x 8"
RAGGED = "ragged on both sides: 33 queries = 2 * 16 + 1, 49 keys = 4 * 12 + 1"
RISING = "the maximum grows in every tile of keys"
FALLING = "the first 16 keys score 120 more than the rest: the maximum falls after the first tile"
LARGE = "scores from 150 to 250, where exp overflows"
SMALL = "scores from -500 to -150, where every exp is 0"
SCALED = "the scale is given: 0.125, not 1/sqrt(16)"
STRIDED = "q, k and v are transposed views"
MANY_KEYS = "memory: 64 queries and 700 keys in tiles of 16 x 16"
MANY_QUERIES = "memory: 600 queries and 40 keys in tiles of 16 x 16"

UP, DOWN = np.linspace(150, 250, 11), np.linspace(-150, -500, 11)
CLIMB = 0.25 * np.arange(53)
CLIFF = np.where(np.arange(53) < 16, 120.0, 0.0)


def situations(n_q: int, plain: Case, single: Case, ragged: Case) -> list[Case]:
    """Cases of one head with `n_q` queries where nothing else is said, in tiles of 4 x 16."""
    tiles = {"tile_m": 4, "tile_n": 16}
    up, down = np.resize(UP, n_q), np.resize(DOWN, n_q)
    return [
        plain,
        single,
        ragged,
        Case("rising", RISING, head(n_q, 53, profile=CLIMB, **tiles), ("rising max",), (4, 8)),
        Case("falling", FALLING, head(n_q, 53, profile=CLIFF, **tiles), (), (4, 8)),
        Case("large-positive", LARGE, head(n_q, 37, level=up, **tiles), ("large positive",), (4, 8)),
        Case("very-negative", SMALL, head(n_q, 37, level=down, **tiles), ("very negative",), (4, 8)),
        Case("scaled", SCALED, head(n_q, 37, scale=0.125, **tiles), (), (4, 8)),
        Case("strided", STRIDED, transposed(n_q, 37, **tiles), ("strided",), (4, 8)),
        Case("many-keys", MANY_KEYS, head(64, 700, 16, 16, tile_m=16, tile_n=16), budget=True),
        Case("many-queries", MANY_QUERIES, head(600, 40, 16, 16, tile_m=16, tile_n=16), budget=True),
    ]


LOOPS = situations(
    11,
    Case("plain", "4 queries and 6 keys in tiles of 2 x 3", head(4, 6, 4, 3, tile_m=2, tile_n=3), (), (2, 3)),
    Case("single", SINGLE, head(1, 1, 1, 1, tile_m=8, tile_n=8), ("single",)),
    Case("ragged", RAGGED, head(33, 49, tile_m=16, tile_n=12), ("ragged",), (16, 8)),
)


def loop_memory(a: Arguments) -> int:
    """The output with its two numbers a query, and six times what one pair of tiles needs."""
    (n_q, d), d_v, tile_m, tile_n = a["q"].shape, a["v"].shape[1], a["tile_m"], a["tile_n"]
    return 4 * (n_q * (d_v + 2) + 6 * (tile_m * (tile_n + d + d_v) + tile_n * (d + d_v)))


LOOP_BUDGET = Budget(
    memory=loop_memory,
    memory_is="4 bytes * (N_q (d_v + 2) + 6 (tile_m (tile_n + d + d_v) + tile_n (d + d_v))): the output and some tiles",
)

C_RAGGED = "ragged on both sides: 33 queries = 2 * 16 + 1, 37 keys = 3 * 12 + 1"
C_WIDE = "tiles of 4 x 16: several tiles of queries share the tile that the diagonal cuts"
C_TALL = "tiles of 16 x 4: the diagonal cuts several tiles of keys"
C_CROSS = "5 queries at the end of 21 keys: query 0 already sees 17 of them"
C_UNSEEN = "9 queries and only 5 keys: the first 4 queries see none, and their rows are 0"
C_HALF_UNSEEN = "11 queries and 5 keys: in the second tile of queries, two see none"

CAUSAL = [
    *situations(
        11,
        Case("plain", "6 queries and 6 keys in tiles of 2 x 3", head(6, 6, 4, 3, tile_m=2, tile_n=3), (), (2, 3)),
        Case("single", SINGLE, head(1, 1, 1, 1, tile_m=8, tile_n=8), ("single",)),
        Case("ragged", C_RAGGED, head(33, 37, tile_m=16, tile_n=12), ("ragged",), (16, 8)),
    ),
    Case("wide-tiles", C_WIDE, head(24, 24, tile_m=4, tile_n=16), (), (4, 8)),
    Case("tall-tiles", C_TALL, head(24, 24, tile_m=16, tile_n=4), (), (16, 8)),
    Case("cross", C_CROSS, head(5, 21, tile_m=2, tile_n=8), ("cross",), (2, 8)),
    Case("fully-masked", C_UNSEEN, head(9, 5, tile_m=4, tile_n=2), ("masked row",), (4, 8)),
    Case("half-masked-tile", C_HALF_UNSEEN, head(11, 5, tile_m=4, tile_n=2), (), (4, 8)),
]

COUNTS_RAGGED = "100 queries and keys of width 16, tiles of 24 x 32: both sides are ragged"
COUNTS = [
    Case("plain", "8 queries and keys of width 4, tiles of 2 x 4", numbers(n=8, d=4, tile_m=2, tile_n=4)),
    Case("single", "one query, one key, d = 1, tiles of 8 x 8", numbers(n=1, d=1, tile_m=8, tile_n=8), ("single",)),
    Case("ragged", COUNTS_RAGGED, numbers(n=100, d=16, tile_m=24, tile_n=32), ("ragged",)),
    Case(
        "long-text",
        "4096 queries and keys of width 64, tiles of 128 x 64",
        numbers(n=4096, d=64, tile_m=128, tile_n=64),
    ),
    Case(
        "wide-head", "90 queries and keys of width 128, tiles of 16 x 128", numbers(n=90, d=128, tile_m=16, tile_n=128)
    ),
]

V_PLAIN = "queries 4 to 7 of 12, 12 keys in tiles of 4: one tile is seen whole, one in part"
V_ALIGNED = "queries 0 to 3 of 16, 16 keys in tiles of 4: only the diagonal tile is seen"
V_RAGGED = "the last 5 of 37 queries, 37 keys in tiles of 12: the last tile holds one key"
V_CROSS = "5 queries at the end of 21 keys in tiles of 4"
V_NONE = "10 queries, 3 keys in tiles of 2: queries 0 to 3 see none"
V_SOME = "9 queries, 5 keys in tiles of 2: of the queries 4 to 7 the first sees one key"
V_LAST = "the last query alone, 16 keys in tiles of 4: it sees every tile whole"
V_LAST_RAGGED = "the last query alone, 14 keys in tiles of 4: the last tile has not 4 keys, so it is not whole"
V_MIDDLE = "queries 3 to 6 of 11, 11 keys in tiles of 4"
VISIBLE = [
    Case("plain", V_PLAIN, numbers(start=4, stop=8, n_q=12, n_k=12, tile_n=4)),
    Case("single", "one query, one key, a tile of 8", numbers(start=0, stop=1, n_q=1, n_k=1, tile_n=8), ("single",)),
    Case("first-queries", V_ALIGNED, numbers(start=0, stop=4, n_q=16, n_k=16, tile_n=4)),
    Case("last-query", V_LAST, numbers(start=15, stop=16, n_q=16, n_k=16, tile_n=4)),
    Case("last-query-ragged", V_LAST_RAGGED, numbers(start=13, stop=14, n_q=14, n_k=14, tile_n=4), ("ragged",)),
    Case("middle-queries", V_MIDDLE, numbers(start=3, stop=7, n_q=11, n_k=11, tile_n=4)),
    Case("ragged", V_RAGGED, numbers(start=32, stop=37, n_q=37, n_k=37, tile_n=12), ("ragged",)),
    Case("cross", V_CROSS, numbers(start=0, stop=5, n_q=5, n_k=21, tile_n=4), ("cross",)),
    Case("one-key-seen", V_SOME, numbers(start=4, stop=8, n_q=9, n_k=5, tile_n=2)),
    Case("fully-masked", V_NONE, numbers(start=0, stop=4, n_q=10, n_k=3, tile_n=2), ("masked row",)),
]


# Mistakes that both loops over tiles invite; each line of code stands in them alike.


def scale_and_tiles(product: str) -> list[Mutant]:
    """Mutants of the scale, which multiplies `product`, and of the range of the tiles of queries."""
    return [
        Mutant(
            "the scores are not scaled by 1/sqrt(d)",
            old=f"scale * {product}",
            new=product,
            killed_by="plain",
        ),
        Mutant(
            "the scale is applied twice, so that the scores are divided by d",
            old=f"scale * {product}",
            new=f"scale * scale * {product}",
            killed_by="plain",
        ),
        Mutant(
            "a scale that is handed in is ignored",
            old="if scale is None else scale",
            new="",
            killed_by="scaled",
        ),
    ]


def dropped(side: str, n: str, tile: str) -> list[Mutant]:
    """Mutants of the end of a loop over the tiles of one side."""
    loop = f"range(0, {n}, {tile})"
    return [
        Mutant(
            f"the last, ragged tile of {side} is dropped",
            old=loop,
            new=f"range(0, {n} - {tile} + 1, {tile})",
            killed_by="ragged",
        ),
        Mutant(
            f"the last of the {side} is not visited where it has a tile to itself",
            old=loop,
            new=f"range(0, {n} - 1, {tile})",
            killed_by="ragged",
        ),
    ]


KEPT_ON_CHIP = [
    Mutant(
        "the accumulator is not rescaled when the running max grows",
        old="alpha[:, None] * acc",
        new="acc",
        killed_by="rising",
        hint=3,
    ),
    Mutant(
        "the denominator is not rescaled when the running max grows",
        old="alpha * l",
        new="l",
        killed_by="rising",
        hint=3,
    ),
    Mutant(
        "m is never updated, so that every tile forgets the ones before it",
        old="m = m_new",
        new="pass",
        killed_by="rising",
        hint=3,
    ),
    Mutant(
        "the running max is replaced by each tile's own maximum, and exp(old - new) overflows where it falls",
        old="torch.maximum(m, s.amax(dim=-1))",
        new="s.amax(dim=-1)",
        killed_by="falling",
    ),
    Mutant(
        "one maximum is taken over the whole tile instead of one for each query",
        old="s.amax(dim=-1)",
        new="s.amax().expand_as(m)",
        killed_by="very-negative",
    ),
    Mutant(
        "no maximum is subtracted before exp",
        old="torch.maximum(m, s.amax(dim=-1))",
        new="torch.zeros_like(m)",
        killed_by="large-positive",
    ),
    Mutant(
        "the accumulator is divided after every tile, as if it were the output",
        old="m = m_new",
        new="m = m_new\n            acc = acc / torch.where(l == 0, 1, l)[:, None]",
        killed_by="rising",
        hint=1,
    ),
    Mutant(
        "the log-sum-exp is log l, without the max",
        old="m + torch.log(l)",
        new="torch.log(l)",
        killed_by="rising",
    ),
    Mutant(
        "the logarithm in L = m + log l is taken to the base 2",
        old="torch.log(l)",
        new="torch.log2(l)",
        killed_by="rising",
    ),
]

EXERCISES = [
    Exercise(
        function=tiled_attention.keys_outside,
        oracle=state_carried,
        outputs=(Output("O"), Output("m"), Output("l"), *MOVED),
        backend="torch",
        points=3,
        forbidden=FORBIDDEN,
        calls=("Memory",),
        cases=LOOPS,
        without=ONE_HEAD | NO_MASK,
        budget=LOOP_BUDGET,
        mutants=[
            *scale_and_tiles('(hbm.load("Q", i, i + tile_m) @ k_tile.T)'),
            *dropped("keys", "n_k", "tile_n"),
            *dropped("queries", "n_q", "tile_m"),
            Mutant(
                "the old output is not multiplied by the old denominator: it counts as one key",
                old="past[:, None] * o",
                new="torch.exp(m - m_new)[:, None] * o",
                killed_by="plain",
            ),
            Mutant(
                "the old output is weighted by l alone: it is not rescaled to the new maximum",
                old="past[:, None] * o",
                new="l[:, None] * o",
                killed_by="rising",
                hint=3,
            ),
            Mutant(
                "the old denominator is not rescaled to the new maximum",
                old="l * torch.exp(m - m_new)",
                new="l",
                killed_by="rising",
                hint=3,
            ),
            Mutant(
                "the old denominator is rescaled in the output but not in the new denominator",
                old="l_new = past +",
                new="l_new = l +",
                killed_by="rising",
                hint=3,
            ),
            Mutant(
                "the output is not divided at all: that is the accumulator of lazy attention",
                old="(past[:, None] * o + p @ v_tile) / l_new[:, None]",
                new="torch.exp(m - m_new)[:, None] * o + p @ v_tile",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the sum is not divided by the new denominator, though the old output is multiplied by the old one",
                old=" / l_new[:, None])",
                new=")",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the new tile is divided by its own sum of exponentials, not by the new denominator",
                old="(past[:, None] * o + p @ v_tile) / l_new[:, None]",
                new="past[:, None] * o / l_new[:, None] + p @ v_tile / p.sum(dim=-1, keepdim=True)",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the division is by the denominator of the tile alone",
                old="/ l_new[:, None]",
                new="/ (l_new - past)[:, None]",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the tile's own maximum becomes the maximum even where it is smaller than the old one",
                old="torch.maximum(m, s.amax(dim=-1))",
                new="s.amax(dim=-1)",
                killed_by="falling",
            ),
            Mutant(
                "one maximum is taken over the whole tile instead of one for each query",
                old="s.amax(dim=-1)",
                new="s.amax().expand_as(m)",
                killed_by="plain",
            ),
            Mutant(
                "no maximum is subtracted before exp",
                old="torch.maximum(m, s.amax(dim=-1))",
                new="torch.zeros_like(m)",
                killed_by="large-positive",
            ),
            Mutant(
                "m is not stored, so that every tile forgets the ones before it",
                old='hbm.store("m", i, m_new)',
                new="pass",
                killed_by="plain",
            ),
            Mutant(
                "l is not stored, so that the output forgets the tiles before",
                old='hbm.store("l", i, l_new)',
                new="pass",
                killed_by="plain",
            ),
            Mutant(
                "K and V are loaded again for every tile of queries, as if the loops were the other way round",
                old="        for i in range(0, n_q, tile_m):\n",
                new="        for i in range(0, n_q, tile_m):\n"
                '            if i: k_tile, v_tile = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)\n',
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "all of Q is loaded for every tile of queries",
                old='hbm.load("Q", i, i + tile_m)',
                new='hbm.load("Q", 0, n_q)[i : i + tile_m]',
                killed_by="plain",
            ),
            Mutant(
                "all keys and values are loaded at once: they do not fit on the chip",
                old="    for j in range(0, n_k, tile_n):\n"
                '        k_tile, v_tile = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)\n',
                new='    whole_k, whole_v = hbm.load("K", 0, n_k), hbm.load("V", 0, n_k)\n'
                "    for j in range(0, n_k, tile_n):\n"
                "        k_tile, v_tile = whole_k[j : j + tile_n], whole_v[j : j + tile_n]\n",
                killed_by="many-keys",
            ),
            Mutant(
                "all queries are taken at once: only the keys are tiled",
                old="n_q, n_k = len(q), len(k)",
                new="n_q, n_k = len(q), len(k); tile_m = n_q",
                killed_by="many-queries",
            ),
        ],
        hints=[
            "Two loops: tiles of keys outside, tiles of queries inside. The chip forgets a query tile's state as soon "
            "as the next one comes, so the state has to lie in main memory between two visits. What lies there is a "
            "finished output for the keys so far, with its m and l.",
            "`hbm.load(name, start, stop)` stops at the end by itself, so `start + tile` is always right. In the outer "
            "loop load K and V; in the inner loop load Q, O, m and l, and store O, m and l at the end of the turn. "
            "Invariant: O times l is the accumulator of lazy attention, measured from m.",
            "One query, d_v = 1, found in memory: O = 10, m = 1, l = 2. A tile has the scores [3, 2] and the values "
            "[20, 40]. m' = 3, the past weighs 2 e^{-2} = 0.2707, P = [1, 0.3679], l' = 1.6386, and O' = (0.2707 * 10 "
            "+ 20 + 0.3679 * 40) / 1.6386 = 22.838. At the first visit m = -inf and l = 0: the past weighs 0 e^{-inf} "
            "= 0, without any special case.",
        ],
    ),
    Exercise(
        function=tiled_attention.accesses_keys_outside,
        oracle=walk_keys_outside,
        outputs=MOVED,
        points=1,
        cases=COUNTS,
        without=ONE_HEAD | NO_MASK | SIZES,
        mutants=[
            Mutant(
                "a ragged last tile is not counted: N / B_N is rounded down instead of up",
                old="-(-n // tile_n)",
                new="n // tile_n",
                killed_by="ragged",
            ),
            Mutant(
                "the queries and their state are moved once for every tile of queries instead of every tile of keys",
                old="-(-n // tile_n)",
                new="-(-n // tile_m)",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "K and V are counted once for every tile of keys, as if all of them were loaded each time",
                old="return 2 * n * d +",
                new="return passes * 2 * n * d +",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "V is not counted",
                old="return 2 * n * d +",
                new="return n * d +",
                killed_by="plain",
            ),
            Mutant(
                "O is not counted among the loads",
                old="(2 * n * d + 2 * n)",
                new="(n * d + 2 * n)",
                killed_by="plain",
            ),
            Mutant(
                "m and l are not counted among the loads",
                old="(2 * n * d + 2 * n)",
                new="2 * n * d",
                killed_by="plain",
            ),
            Mutant(
                "m and l are not counted among the stores",
                old="passes * (n * d + 2 * n)",
                new="passes * n * d",
                killed_by="plain",
            ),
            Mutant(
                "m and l count as one number a query, and not as two",
                old="passes * (2 * n * d + 2 * n), passes * (n * d + 2 * n)",
                new="passes * (2 * n * d + n), passes * (n * d + n)",
                killed_by="plain",
            ),
            Mutant(
                "O, m and l are stored once, as if they had stayed on the chip",
                old="passes * (n * d + 2 * n)",
                new="n * d + 2 * n",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "Q, O, m and l are loaded once, as if they had stayed on the chip",
                old="passes * (2 * n * d + 2 * n)",
                new="(2 * n * d + 2 * n)",
                killed_by="plain",
                hint=1,
            ),
        ],
        hints=[
            "Whatever is touched in the outer loop alone is moved once. Whatever is touched in the inner loop is moved "
            "once for every turn of the outer one.",
            "T_c = ceil(N / B_N) turns. Each of them loads all rows of Q, O, m and l, and stores all rows of O, m and "
            "l, whatever B_M is. K and V are N d numbers each, m and l are N each.",
            "N = 8, d = 4, B_N = 4: T_c = 2. K and V: 2 * 32 = 64 loads. A turn loads Q and O, 64, and m and l, 16: "
            "80, and 160 in two turns; 224 loads in all. It stores 32 + 16 = 48, and 96 in two turns. In Python, "
            "`-(-n // tile_n)` rounds up.",
        ],
    ),
    Exercise(
        function=tiled_attention.queries_outside,
        oracle=state_kept,
        outputs=(*O_L, *MOVED),
        backend="torch",
        points=3,
        forbidden=FORBIDDEN,
        calls=("Memory",),
        cases=LOOPS,
        without=ONE_HEAD | NO_MASK,
        budget=LOOP_BUDGET,
        mutants=[
            *scale_and_tiles('(q_tile @ hbm.load("K", j, j + tile_n).T)'),
            *dropped("keys", "n_k", "tile_n"),
            *dropped("queries", "n_q", "tile_m"),
            *KEPT_ON_CHIP,
            Mutant(
                "neither accumulator nor denominator is rescaled when the running max grows",
                old="torch.exp(m - m_new)",
                new="torch.ones_like(m)",
                killed_by="rising",
                hint=3,
            ),
            Mutant(
                "the running max starts at 0 instead of -inf",
                old="torch.full_like(acc[:, 0], -torch.inf)",
                new="torch.zeros_like(acc[:, 0])",
                killed_by="very-negative",
            ),
            Mutant(
                "the division at the end is missing",
                old="acc / l[:, None]",
                new="acc",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "Q is loaded again for every tile of keys",
                old='(q_tile @ hbm.load("K", j, j + tile_n).T)',
                new='((q_tile if not j else hbm.load("Q", i, i + tile_m)) @ hbm.load("K", j, j + tile_n).T)',
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the output is stored after every tile of keys",
                old="m = m_new",
                new='m = m_new\n            if j + tile_n < n_k: hbm.store("O", i, acc / l[:, None])',
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "all keys are loaded for every tile of keys",
                old='hbm.load("K", j, j + tile_n)',
                new='hbm.load("K", 0, n_k)[j : j + tile_n]',
                killed_by="plain",
            ),
            Mutant(
                "all queries are taken at once: only the keys are tiled",
                old="len(k), v.shape[1]",
                new="len(k), v.shape[1]; tile_m = n_q",
                killed_by="plain",
            ),
            Mutant(
                "the scores with all keys are made at once",
                old='(q_tile @ hbm.load("K", j, j + tile_n).T)',
                new='(q_tile @ (whole := whole if j else hbm.load("K", 0, n_k)).T)[:, j : j + tile_n]',
                killed_by="many-keys",
            ),
        ],
        hints=[
            "The same tiles, the loops exchanged. A tile of queries now meets all keys before the next one comes, so "
            "its state never has to leave the chip, and nobody sees it before the end: it need not be normalised.",
            "In the outer loop: load Q, start from acc = 0, m = -inf, l = 0. In the inner loop: load K and V, and take "
            "the step of lazy attention. After the inner loop: store acc / l and m + log l, once. The invariant: acc "
            "and l are measured from the same m.",
            "Scores [1, 3, 2], values [10, 20, 30], tiles of one key. After the first: m = 1, l = 1, acc = 10. The "
            "second has m' = 3 and a = e^{-2} = 0.1353: l = 1.1353, acc = 21.353. The third has a = 1: l = 1.5032, acc "
            "= 32.390. Stored: O = 32.390 / 1.5032 = 21.547 and L = 3 + ln 1.5032 = 3.4076.",
        ],
    ),
    Exercise(
        function=tiled_attention.accesses_queries_outside,
        oracle=walk_queries_outside,
        outputs=MOVED,
        points=1,
        cases=COUNTS,
        without=ONE_HEAD | NO_MASK | SIZES,
        mutants=[
            Mutant(
                "a ragged last tile is not counted: N / B_M is rounded down instead of up",
                old="-(-n // tile_m)",
                new="n // tile_m",
                killed_by="ragged",
            ),
            Mutant(
                "K and V are loaded once for every tile of keys instead of every tile of queries",
                old="-(-n // tile_m)",
                new="-(-n // tile_n)",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "Q is counted once for every tile of queries, as if all of it were loaded each time",
                old="return n * d +",
                new="return passes * n * d +",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "V is not counted",
                old="passes * 2 * n * d",
                new="passes * n * d",
                killed_by="plain",
            ),
            Mutant(
                "K and V are counted once, as if they had stayed on the chip",
                old="passes * 2 * n * d",
                new="2 * n * d",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "L is not counted among the stores",
                old="n * d + n\n",
                new="n * d\n",
                killed_by="plain",
            ),
            Mutant(
                "m and l are stored, and not the one number L that stands for both",
                old="n * d + n\n",
                new="n * d + 2 * n\n",
                killed_by="plain",
            ),
            Mutant(
                "the output is stored once for every tile of queries",
                old=", n * d + n\n",
                new=", passes * (n * d + n)\n",
                killed_by="plain",
                hint=1,
            ),
        ],
        hints=[
            "The same rule with other names: what the outer loop touches is moved once, what the inner loop touches is "
            "moved once for every turn of the outer one.",
            "T_r = ceil(N / B_M) turns. Each of them loads all of K and V, whatever B_N is. Q is loaded once, and O "
            "and L are stored once.",
            "N = 8, d = 4, B_M = 2: T_r = 4. Q: 32 loads. A turn loads K and V, 64, and 256 in four turns; 288 loads "
            "in all. Stores: 32 for O and 8 for L, 40.",
        ],
    ),
    Exercise(
        function=tiled_attention.visible_tiles,
        oracle=look_at_the_mask,
        outputs=(Output("full", "int64", exact=True), Output("seen", "int64", exact=True)),
        points=2,
        cases=VISIBLE,
        without=ONE_HEAD | SIZES,
        mutants=[
            Mutant(
                "the mask is aligned top-left (key <= query) instead of bottom-right",
                old="start + 1 + n_k - n_q, stop + n_k - n_q",
                new="start + 1, stop",
                killed_by="cross",
            ),
            Mutant(
                "the offset of the mask has the wrong sign: N_q - N_k instead of N_k - N_q",
                old="start + 1 + n_k - n_q, stop + n_k - n_q",
                new="start + 1 + n_q - n_k, stop + n_q - n_k",
                killed_by="cross",
            ),
            Mutant(
                "the first query's own key is not counted among those it sees: off by one",
                old="start + 1 + n_k",
                new="start + n_k",
                killed_by="last-query",
            ),
            Mutant(
                "the first query is credited with one key too many",
                old="start + 1 + n_k",
                new="start + 2 + n_k",
                killed_by="one-key-seen",
            ),
            Mutant(
                "the last query's own key is not counted among those it sees: off by one",
                old="stop + n_k",
                new="stop - 1 + n_k",
                killed_by="ragged",
            ),
            Mutant(
                "the last query is credited with one key too many, or 1 is added where a count is to be rounded up",
                old="stop + n_k",
                new="stop + 1 + n_k",
                killed_by="plain",
            ),
            Mutant(
                "the tile that the diagonal cuts is skipped: a count of tiles is rounded down instead of up",
                old="-(-max(0, last) // tile_n)",
                new="max(0, last) // tile_n",
                killed_by="ragged",
            ),
            Mutant(
                "a tile that the first query sees in part counts as seen whole",
                old="max(0, first) // tile_n",
                new="-(-max(0, first) // tile_n)",
                killed_by="plain",
            ),
            Mutant(
                "seen whole is decided by the last query, which sees the most, instead of the first",
                old="max(0, first) // tile_n",
                new="max(0, last) // tile_n",
                killed_by="plain",
            ),
            Mutant(
                "seen at all is decided by the first query, which sees the least, instead of the last",
                old="max(0, last)",
                new="max(0, first)",
                killed_by="cross",
            ),
            Mutant(
                "queries that see no key give negative numbers of tiles",
                old="return max(0, first) // tile_n, -(-max(0, last) // tile_n)",
                new="return first // tile_n, -(-last // tile_n)",
                killed_by="fully-masked",
                hint=3,
            ),
            Mutant(
                "a ragged last tile that is seen to its end counts as a whole one",
                old="max(0, first) // tile_n",
                new="(-(-n_k // tile_n) if first == n_k else max(0, first) // tile_n)",
                killed_by="last-query-ragged",
            ),
        ],
        hints=[
            "Within a tile of queries the first sees the least and the last the most. A tile of keys is seen whole if "
            "the first query sees all of it, and seen at all if the last query sees some of it.",
            "Query i sees i + 1 + N_k - N_q keys, counted from key 0, or none if that is negative. For the first query "
            "i = start, for the last i = stop - 1. Whole tiles in so many keys: round down. Tiles touched by so many "
            "keys: round up.",
            "Queries 4 to 7 of 12, 12 keys, tiles of 4. Query 4 sees 5 keys, which is 5 // 4 = 1 whole tile; query 7 "
            "sees 8, which touches ceil(8 / 4) = 2. With 10 queries and 3 keys, queries 0 to 3 see 1 + 3 - 10 = -6 and "
            "4 + 3 - 10 = -3 keys: take 0 for both.",
        ],
    ),
    Exercise(
        function=tiled_attention.causal_queries_outside,
        oracle=state_kept_causal,
        outputs=(*O_L, *MOVED),
        backend="torch",
        points=3,
        forbidden=FORBIDDEN,
        calls=("Memory",),
        cases=CAUSAL,
        without=ONE_HEAD,
        budget=LOOP_BUDGET,
        mutants=[
            *scale_and_tiles('(q_tile @ hbm.load("K", j, j + tile_n).T)'),
            *dropped("queries", "n_q", "tile_m"),
            *KEPT_ON_CHIP,
            Mutant(
                "nothing is skipped: all tiles are loaded, and those that nobody sees are masked",
                old="range(seen)",
                new="range(-(-n_k // tile_n))",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the tiles that the diagonal cuts are skipped too",
                old="range(seen)",
                new="range(full)",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the last tile that is seen is skipped",
                old="range(seen)",
                new="range(seen - 1)",
                killed_by="plain",
            ),
            Mutant(
                "the tiles that the diagonal cuts are not masked",
                old="tile >= full",
                new="False",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the tiles that are seen are counted without the last query of the tile: off by one",
                old="visible_tiles(i, i + len(q_tile),",
                new="visible_tiles(i, i + len(q_tile) - 1,",
                killed_by="plain",
            ),
            Mutant(
                "the tiles that are seen whole are counted from the second query of the tile: off by one",
                old="visible_tiles(i, i + len(q_tile),",
                new="visible_tiles(i + 1, i + len(q_tile),",
                killed_by="plain",
            ),
            Mutant(
                "only the last tile that is seen is masked, though the diagonal may cut several",
                old="tile >= full",
                new="tile == seen - 1",
                killed_by="tall-tiles",
            ),
            Mutant(
                "the first tile that is not seen whole is left unmasked",
                old="tile >= full",
                new="tile > full",
                killed_by="plain",
            ),
            Mutant(
                "the causal mask hides every query's own key: it is off by one",
                old="key > query",
                new="key >= query",
                killed_by="plain",
            ),
            Mutant(
                "the causal mask lets every query see one key too many: it is off by one",
                old="key > query",
                new="key - 1 > query",
                killed_by="plain",
            ),
            Mutant(
                "the causal mask is aligned top-left (key <= query) instead of bottom-right",
                old="query + n_k - n_q",
                new="query",
                killed_by="cross",
            ),
            Mutant(
                "the causal mask counts the queries of every tile from 0",
                old="torch.arange(i, i + s.shape[0])",
                new="torch.arange(s.shape[0])",
                killed_by="ragged",
            ),
            Mutant(
                "the causal mask counts the keys of every tile from 0",
                old="torch.arange(j, j + s.shape[1])",
                new="torch.arange(s.shape[1])",
                killed_by="plain",
            ),
            Mutant(
                "the number of a tile is taken for the number of its first key",
                old="j = tile * tile_n",
                new="j = tile",
                killed_by="plain",
            ),
            Mutant(
                "masked scores are set to 0 instead of -inf",
                old="n_k - n_q, -torch.inf)",
                new="n_k - n_q, 0.0)",
                killed_by="plain",
            ),
            Mutant(
                "a query that has seen no key yet subtracts -inf from -inf, which is NaN",
                old="torch.where(torch.isneginf(m_new), 0, m_new)",
                new="m_new",
                killed_by="half-masked-tile",
                hint=3,
            ),
            Mutant(
                "a query that sees no key at all divides 0 by 0, which is NaN",
                old="torch.where(l == 0, 1, l)",
                new="l",
                killed_by="fully-masked",
                hint=3,
            ),
        ],
        hints=[
            "Start from your queries_outside. What changes: the inner loop ends at the last tile that somebody sees, "
            "and from the first tile that is not seen whole the scores are masked.",
            "`full, seen = visible_tiles(i, i + rows, n_q, n_k, tile_n)`, with the true number of rows of this tile "
            "of queries. Tile t starts at key t * tile_n. The mask compares true numbers, queries i, i + 1, ... and "
            "keys j, j + 1, ...: hide key > query + n_k - n_q.",
            "11 queries, 5 keys, tiles of 4 x 2. Queries 0 to 3 see nothing: seen = 0, no key is loaded, and O = 0 and "
            "L = -inf + log 0 = -inf are stored. Of the queries 4 to 7 the first two see nothing either, but query 7 "
            "sees keys 0 and 1, so that tile is loaded: two rows of S are all -inf, and their m' too. Shift by 0 there "
            "instead of by m', so that P = e^{-inf} = 0 and l = 0; where l = 0 at the end divide by 1.",
        ],
    ),
]

QUESTIONS = [
    Question(
        name="loads_row_by_row",
        ask="N = 512 queries and keys of width d = 64, one query at a time: how many numbers are loaded?",
        answer=33587200,
        rel=0.01,
        why="512 rows of 64 for Q, and for each of the 512 queries all of K and V, 2 * 512 * 64: 32,768 + 33,554,432 = "
        "33,587,200.",
        unit="numbers",
    ),
    Question(
        name="numbers_per_turn",
        ask="Keys outside, d = 64: how many numbers are moved for one query in one turn of the outer loop?",
        answer=196,
        rel=0,
        why="Loaded: 64 of Q, 64 of O, m and l, 130. Stored: 64 of O, m and l, 66. Together 3 d + 4 = 196.",
        unit="numbers",
    ),
    Question(
        name="break_even_tile",
        ask="Queries outside, d = 64, N large: at how many queries a tile is it level with standard attention?",
        answer=32,
        rel=0.02,
        why="2 N^2 d / B_M = 4 N^2 gives B_M = d / 2 = 32. Every tile of queries reads 2 d numbers for each key, and "
        "standard attention moves four numbers for each of the B_M scores.",
        unit="queries",
    ),
    Question(
        name="tiles_skipped",
        ask="N = 4096 queries and keys, causal, tiles of 128 x 128: how many of the 1024 tiles are skipped?",
        answer=496,
        rel=0,
        why="Row r of 32 sees r tiles (r = 1 to 32), 32 * 33 / 2 = 528 in all; 1024 - 528 = 496.",
        unit="tiles",
    ),
]
