"""What the inputs of several lessons are made with, and what is said and counted of them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from math import ceil
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from autograder.runner.arrays import empty_with_strides
from autograder.spec.exercise import Arguments, Bound, Case, Tolerance

Draw = Callable[[np.random.Generator], Arguments]  # a case's
P = ParamSpec("P")
T = TypeVar("T")
TRIES = 1000  # at inputs on which rounding decides nothing


def drawn(make: Callable[Concatenate[np.random.Generator, P], T]) -> Callable[P, Callable[[np.random.Generator], T]]:
    """Turn a function of a generator and other arguments into one that takes these now, and draws later."""

    @functools.wraps(make)
    def told(*args: P.args, **kwargs: P.kwargs) -> Callable[[np.random.Generator], T]:
        return lambda rng: make(rng, *args, **kwargs)

    return told


def redrawn(draw: Draw, is_clear: Callable[[Arguments], bool]) -> Draw:
    """The first arguments that are clear: no right answer in float32 may fall on the other side of a decision."""

    def clear(rng: np.random.Generator) -> Arguments:
        return next(given for given in (draw(rng) for _ in range(TRIES)) if is_clear(given))

    return clear


@drawn
def numbers(rng: np.random.Generator, /, **given: int | tuple[int, int]) -> Arguments:
    """Whole numbers: as given, or drawn from (low, high), both included."""
    return {name: int(rng.integers(x[0], x[1] + 1)) if isinstance(x, tuple) else x for name, x in given.items()}


def sized(
    make: Callable[..., Callable[[np.random.Generator], T]], *sizes: int | range | tuple[int, ...], **rest: Any
) -> Callable[[np.random.Generator], T]:
    """What `make` draws for these sizes; of several one is drawn first, so that no count is known beforehand."""

    def draw(rng: np.random.Generator) -> T:
        return make(*(n if isinstance(n, int) else int(rng.choice(n)) for n in sizes), **rest)(rng)

    return draw


metered = functools.partial(Case, budget=True)  # made for what the exercise bounds
NO_QUERY_MEETS_ANOTHER = Bound(lambda a: 0, "no query meets another")
SIX_A_QUERY = Bound(lambda a: 6 * len(next(iter(a.values()))), "six for each query")
NOTHING_MULTIPLIED = Bound(lambda a: 0, "numbers are moved, not multiplied")

OWN_TILES = "how large the tiles are is not said: the defaults are taken"
SOME_FORTY = range(32, 44)
SOME_FIFTY = range(44, 60)
FEW_OF_BOTH = "memory: some 40 queries and keys in tiles of 4 x 4: all scores at once are too large"


@drawn
def only(rng: np.random.Generator, /, draw: Draw, *names: str) -> Arguments:
    """Of the arguments that `draw` makes those called `names`, in that order, where they are given."""
    given = draw(rng)
    return {name: given[name] for name in names if name in given}


def own_tiles(draw: Draw, *names: str) -> Case:
    """What `draw` makes without the named arguments, which have defaults: the tiles, if none are named."""
    chosen = names or ("tile_m", "tile_n")
    return Case("own-tiles", OWN_TILES, lambda rng: {name: x for name, x in draw(rng).items() if name not in chosen})


@drawn
def matrix(
    rng: np.random.Generator, /, rows: int, cols: int, level: ArrayLike = 0.0, profile: ArrayLike = 0.0, spread=3.0,
    dtype="float32", **rest: Any,
) -> Arguments:  # fmt: skip
    """x ~ spread * N(0, 1) + level + profile: a number each, or one for each row and one for each column."""
    x = spread * rng.standard_normal((rows, cols)) + np.reshape(level, (-1, 1)) + profile
    return {"x": x.astype(dtype)} | rest


@drawn
def one_number_on(rng: np.random.Generator, /, draw: Draw) -> Arguments:
    """What `draw` makes, with an x that begins one number after an address that 16 divides."""
    given = draw(rng)
    x = given["x"]
    return given | {"x": np.concatenate([x.ravel()[:1], x.ravel()])[1:].reshape(x.shape)}


BEGINS_LATE = "x begins one number after a multiple of 16 bytes"


def bytes_of(*names: str) -> Callable[[Arguments], int]:
    """Bytes of the named arguments."""
    return lambda a: sum(a[name].nbytes for name in names)


def queries_and_some(q: np.ndarray, *kept: np.ndarray) -> int:
    """Bytes of q four times, and of a sixteenth of the keys and values: they are not to be copied in pieces either."""
    return 4 * q.nbytes + sum(x.nbytes for x in kept) // 16


def a_position_each(*rows: int) -> int:
    """Bytes of the position of each of so many rows, for a mask, in 64 bits."""
    return 8 * sum(rows)


def each_score_once(q: np.ndarray, v: np.ndarray, keys: int, part: int = 8) -> int:
    """Multiplications of every query with so many keys, in S and in P V, and an eighth more, or another part: for
    sums and merges by a product, and for tiles that are filled up.
    """
    return (part + 1) * q[..., 0].size * keys * (q.shape[-1] + v.shape[-1]) // part


def each_score_once_in_tiles(q: np.ndarray, v: np.ndarray, keys: int, tile_m: int = 1, tile_n: int = 0) -> int:
    """The same with a quarter more where tiles are filled up. Where all are whole, with the sums of the rows and, for
    each tile of keys (tile_n; 0: there is one), two products of a row's number with what is kept of the row.
    """
    (rows, d), d_v = q.shape[-2:], v.shape[-1]
    tile_n = tile_n or max(keys, 1)
    if rows % tile_m or keys % tile_n:
        return each_score_once(q, v, keys, 4)
    return int(q[..., 0].size) * (keys * (d + d_v + 1) + keys // tile_n * 2 * (d_v + 1))


SCORES_ONCE = "products are counted: 64 queries and 256 keys, 64 wide, in whole tiles"


def a_quarter_more(moved: Callable[[Arguments], int], what: str) -> Bound:
    """What one program moves, and a quarter of it: tiles may be cut otherwise, but not given to one program."""
    return Bound(lambda a: 5 * moved(a) // 4, f"enough for {what}, and a quarter more")


def barriers_of_tiles(tiles: Callable[[Arguments], int]) -> Bound:
    """Eight for each tile that a block walks over, where two to four do, and sixteen before and after them."""
    return Bound(lambda a: 8 * (tiles(a) + 2), "eight for each tile, and sixteen beside")


NO_CONFLICTS = Bound(lambda a: 0, "different banks for all lanes")


def share_of_a_thread(moved: Callable[[Arguments], int], threads: int, times: int = 1) -> Bound:
    """The budget of one thread, from the bytes that a block of so many loads or stores, and how often it does.

    Its even share, in pieces of 16 bytes, which it can move at once; and half as much again: some thread stores the
    row's log-sum-exp besides, or has a piece more than others.
    """
    share = "1.5 times its even share, which is rounded up to a multiple of 16 bytes"
    return Bound(lambda a: 24 * times * ceil(moved(a) / (16 * threads)), share)


def on_grid(x: ArrayLike, steps: int = 16) -> np.ndarray:
    """Multiples of 1/steps: products of such matrices are exact in float32 in whatever order they are summed."""
    return np.round(steps * np.asarray(x)) / steps


def aim(q: np.ndarray, k: np.ndarray, level: ArrayLike = 0.0, profile: ArrayLike = 0.0) -> None:
    """Raise the scores of q (..., N_q, d) and k (..., N_k, d), at the scale 1/sqrt(d), in place, by the last columns.

    level: for each query. profile: for each key, or several of them, (p, N_k), which the queries take in turns.
    """
    root = q.shape[-1] ** 0.5
    if np.any(level):
        q[..., -1], k[..., -1] = level, root
    elif np.any(profile):
        profile = np.atleast_2d(profile)
        p = len(profile)
        q[..., -p:], k[..., -p:] = root * np.eye(p)[np.arange(q.shape[-2]) % p], profile.T


def qkv(
    rng: np.random.Generator, queries: tuple[int, ...], keys: tuple[int, ...], *, d_v: int = 0, level: ArrayLike = 0.0,
    profile: ArrayLike = 0.0, shuffled=False, spread=(1.5, 1.5), steps=16, drift=2, alike=(0, 0), flat=False,
    dtype="float32", **rest: Any,
) -> Arguments:  # fmt: skip
    """q and k of these shapes, (..., N, d), and v, whose rows have d_v numbers, or as many as k's; `rest` is handed on.

    The scores, at the scale 1/sqrt(d), are about 2 * N(0, 1) + level + profile (see `aim`), if nothing is said of the
    `spread` of q and of k. These are multiples of 1/steps, or, if that is 0, any numbers: with a scale that is a power
    of two the scores of multiples are exact in float32 in any order of summation, and what is judged is all that comes
    after them. The values drift along the keys. shuffled: the profile, by the seed. alike: two keys that are the same.
    flat: scores near 0 and values near 3000.
    """
    q, k = (size * rng.standard_normal(shape) for size, shape in zip(spread, (queries, keys)))
    q, k = (on_grid(x, steps) if steps else x for x in (q, k))
    aim(q, k, level, rng.permutation(profile) if shuffled else profile)
    if any(alike):
        k[..., alike[1], :] = k[..., alike[0], :]
    v = rng.standard_normal((*keys[:-1], d_v or keys[-1])) + np.linspace(-drift, drift, keys[-2])[:, None]
    if flat:
        q, v = q / 16, 3000 + 100 * v
    return {name: x.astype(dtype) for name, x in (("q", q), ("k", k), ("v", v))} | rest


def oppose(rng: np.random.Generator, q: np.ndarray, k: np.ndarray) -> None:
    """Put into the last 16 columns of q and k, in place, terms in the thousands that cancel in every score.

    They are exact in fp16 and cancel no longer once q is multiplied by something and rounded to fp16 again. The column
    before them raises all scores by about 100, where fp16 has lost their fractions.
    """
    q[..., -17], k[..., -17] = 10, np.round(10 * q.shape[-1] ** 0.5)
    a, b = rng.integers(2, 8, (2, 8))
    t = rng.integers(-100, 101, (k.shape[-2], 8))
    q[..., -16:], k[..., -16:] = np.concatenate([a, b]), np.concatenate([t * b, -t * a], axis=-1)


@drawn
def opposed(rng: np.random.Generator, /, draw: Draw) -> Arguments:
    """What `draw` makes for d >= 32 in float16, with the terms of `oppose` in q and in the keys, or in a pool of them.

    The scale is such that a query times it is rounded.
    """
    given = draw(rng)
    oppose(rng, given["q"], given["k_pool" if "k_pool" in given else "k"])
    return given | {"scale": 0.2337}


@drawn
def one_outweighs(rng: np.random.Generator, /, draw: Draw) -> Arguments:
    """What `draw` makes in float16, `flat`: every sequence's first key outweighs each of its others by 40,000.

    So a tile of 16 of them weighs less than half of what float16 sees at 1. Values lie around 1000.
    """
    given = draw(rng)
    keys, values = ("k_pool", "v_pool") if "k_pool" in given else ("k", "v")
    given["q"][..., -1], given[keys][..., -1] = given["q"].shape[-1] ** 0.5, 0
    first = (given["tables"][:, 0], slice(None), 0, -1) if "tables" in given else (..., 0, -1)
    given[keys][first] = 10.6
    given[values] -= 2000
    return given


LIGHT = "a tile of keys weighs next to nothing, and its values are as much larger: it may not be left out"


LIGHT_PART = "one part weighs next to nothing, and its output is as much larger: it may not be left out"


def lighten_part(o: np.ndarray, L: np.ndarray) -> None:
    """Change a part of attention's results in place, so that it weighs e^-60 and counts as much as the others."""
    L -= 60
    o[:] = np.abs(o) * 2.0**86


def lighten(q: np.ndarray, k: np.ndarray, v: np.ndarray, keys: Any) -> None:
    """Change attention's inputs in place, at the scale 1/sqrt(d), so that the rows k[keys] score 40 below the others,
    which weigh nearly alike, and have values of one sign that are 2^57 times as large, so that they count as much. Not
    for float16, in which weights so small are 0.
    """
    q /= 16
    q[..., -1], k[..., -1] = q.shape[-1] ** 0.5, 0
    rows = k[keys]
    rows[..., -1] = -40
    k[keys], v[keys] = rows, np.abs(v[keys]) * 2.0**57


@drawn
def light(rng: np.random.Generator, /, draw: Draw, first: int, end: int) -> Arguments:
    """What `draw` makes, changed so (see `lighten`); of a pool, whole blocks of every sequence."""
    given = draw(rng)
    if "tables" in given:
        size = given["k_pool"].shape[2]
        lighten(given["q"], given["k_pool"], given["v_pool"], given["tables"][:, first // size : end // size])
    else:
        keys, values = ("k_cache", "v_cache") if "k_cache" in given else ("k", "v")
        lighten(given["q"], given[keys], given[values], np.s_[..., first:end, :])
    return given


def half_hidden(rng: np.random.Generator, rows: int, n: int) -> np.ndarray:
    """(rows, n > 2), true for half of the entries and for no row as a whole; row 0 hides its first, row 1 its last."""
    hidden = rng.random((rows, n)) < 0.5
    hidden[0, 0] = hidden[1:2, -1] = True
    hidden[np.arange(rows), rng.integers(1, n - 1, rows)] = False
    return hidden


def swing(q: np.ndarray, k: np.ndarray, v: np.ndarray, do: np.ndarray) -> None:
    """Change a backward pass's inputs in place so that its sums are large on the way and small at the end.

    Of dQ over the keys, and of dK and dV over the queries: whoever rounds them to 16 bits in between shows it.
    """
    k[..., :4], k[..., 4:8], v[..., 4:8] = 16, 0, 0
    q /= 16
    q[..., 4:8] = do[..., 4:8] = np.where(np.arange(q.shape[-2]) < q.shape[-2] // 2, 16, -16)[:, None]


HIDDEN_ABOVE = "causal; the last key, which only the last query sees, scores 10^9 and more for the first"


def hide_above(q: np.ndarray, k: np.ndarray, do: np.ndarray) -> None:
    """Change a causal backward pass's inputs in place so that the first query scores 2^30 or more on the last key:
    a number that is added to what is hidden from it does not hide it. Its do is 0, and so are its shares in gradients.
    """
    q[..., -8:], k[..., -8:], do[..., 0, :] = 0, 0, 0
    q[..., 0, -8:] = k[..., -1, -8:] = 2**15


def swapped(x: np.ndarray, one: int = 1, other: int = 2) -> np.ndarray:
    """The same array with two of its axes swapped in memory; by default heads and tokens of (B, H, N, d)."""
    return np.ascontiguousarray(x.swapaxes(one, other)).swapaxes(one, other)


def first_for_all(x: np.ndarray, *axes: int) -> np.ndarray:
    """A view in which what stands first along these axes stands for all: the step to the next is 0."""
    return np.lib.stride_tricks.as_strided(x, strides=[0 if i in axes else step for i, step in enumerate(x.strides)])


@drawn
def views(rng: np.random.Generator, /, draw: Draw, **axes: tuple[int, int]) -> Arguments:
    """What `draw` makes, with two axes of each of the named arrays swapped in memory."""
    given = draw(rng)
    return given | {name: swapped(given[name], *pair) for name, pair in axes.items()}


@drawn
def wide(rng: np.random.Generator, /, draw: Draw, **axes: int) -> Arguments:
    """What `draw` makes, but steps along one axis of the named arrays are 2^30 elements: two need more than 32 bits."""
    given = draw(rng)
    for name, axis in axes.items():
        x = np.ascontiguousarray(given[name])
        strides = [x.itemsize << 30 if i == axis else step for i, step in enumerate(x.strides)]
        given[name] = empty_with_strides(x.shape, x.dtype, tuple(strides))
        given[name][...] = x
    return given


def no_scores(why: str) -> dict[str, str]:
    """For `Exercise.without`, where no score is computed."""
    return dict.fromkeys(("rising max", "large positive", "very negative"), why)


NO_HEADS_YET = {"cross": "there are no queries and keys yet", "grouped": "there are no heads yet"}
NO_GROUPS_YET = {"grouped": "every head has its own keys until the lesson on grouped queries"}
SIZES_ONLY = {"strided": "the arguments are single numbers"} | no_scores("sizes are counted, and no score is computed")
LOWEST = float(np.finfo(np.float32).max)  # below 0: no finite number lies so far
FAR_ON = "2^32 numbers lie before these"  # said where an exercise is `far`
WIDE_HEADS = "heads of k, and batches of v, lie 2^30 elements apart: their offsets need more than 32 bits"
DEEP_ROWS = "rows from -300 down to -3.4e38, half of each masked: no finite number stands for -inf"
SCORES_OF_ROWS = Tolerance(known_like=1024)  # of larger ones more digits can be kept than exp(x - L) keeps


@drawn
def deep_rows(rng: np.random.Generator, /, rows: int, n: int, **rest: object) -> Arguments:
    x = 20 * rng.standard_normal((rows, n)) - np.geomspace(300, LOWEST, rows)[:, None]
    x[half_hidden(rng, rows, n)] = -np.inf
    return {"x": x.astype(np.float32)} | rest


FAR_BELOW = "scores below -100000: what is hidden has to be lower still"
OUTLIER = "one key, which the seed chooses, scores 200 more than the rest"
JUMP = "the maximum rises by 800 after the first 16 keys; key 20 scores 200 more than the others there, the last 400"
DEEP = (-1.4e5, -1.1e5)
HIDDEN_HIGHER = "causal; every five keys score 12000 more than those before, so that what is hidden is higher"


def outlier(n: int) -> np.ndarray:
    return np.where(np.arange(n) == 0, 200.0, 0.01)


BILLIONS_BELOW = "causal; the first query sees one key, with a score of -2e9: no stand-in for -inf is lower"


def billions_below(draw: Draw) -> Case:
    """Attention whose first query, which has to see the first key only, scores -2e9 there and near 0 on the others."""

    def drawn(rng: np.random.Generator) -> Arguments:
        given = draw(rng)
        q, k = (next(given[name] for name in names if name in given) for names in (("q",), ("k", "k_cache", "k_pool")))
        q[..., -1], k[..., -1] = 0, 0
        q[..., 0, -1], k[..., 0, -1] = -2e9, q.shape[-1] ** 0.5
        return given

    return Case("billions-below", BILLIONS_BELOW, drawn)


VALUES_ALIKE = "scores from 10^6 to 3 * 10^7, and the same value for every key: the weights add up to 1"
MILLIONS = 2 * np.round(np.geomspace(5e5, 1.5e7, 11))


@drawn
def values_alike(rng: np.random.Generator, /, draw: Draw) -> Arguments:
    """Attention whose output is the value that all keys have, whatever they weigh, if only their weights add up to 1.

    Around scores in the millions m + log l has lost the digits of log l, so that weights e^(S - L) do not. Scores are
    even numbers, which are exact there.
    """
    given = draw(rng)
    q, k, v = (given[name] for name in "qkv")
    q[..., :-1] = k[..., :-1] = 0
    q[..., 0], k[..., 0] = q.shape[-1] ** 0.5, -2 * rng.integers(0, 3, k.shape[:-1])
    v[...] = v[..., :1, :]
    return given


def stairs(n: int) -> np.ndarray:
    return 12_000.0 * (np.arange(n) // 5)


ANOTHER_NAN = "the output of one query is NaN, and no other query may notice"


def one_nan(draw: Draw, name: str, row: int) -> Draw:
    """What `draw` makes, with NaN in one row of the named array: whatever is multiplied with it is NaN as well."""

    def poisoned(rng: np.random.Generator) -> Arguments:
        given = draw(rng)
        given[name][row] = np.nan
        return given

    return poisoned


LAST_HIGHER = "the last key scores 200 more than the rest"


def at_last(n: int) -> np.ndarray:
    """The last key scores 200 more: whoever leaves it out of the maximum takes exp of that."""
    return 200.0 * (np.arange(n) == n - 1)


def jump(n: int) -> np.ndarray:
    return np.where(np.arange(n) < 16, -400.0, 400.0) + 200.0 * (np.arange(n) == 20) + 2 * at_last(n)


def written_in_place(a: Arguments, store: int) -> int:
    """Bytes that an object may allocate, or write over in what it keeps, which has buffers of `store` bytes for tokens
    and writes what comes into them: four times these, as much for each operation that reads them, and eight times what
    comes.
    """
    came = [given for _, given in a["steps"] if "k" in given]
    asked = sum(method in ("attend", "gather") for method, _ in a["steps"])
    return 4 * store * (1 + asked) + sum(8 * int(x["k"].nbytes + x["v"].nbytes) for x in came)
