"""What all kernels that walk over tiles of keys have in common: situations, bounds, and mistakes."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, prod
from typing import Any

import numpy as np

from autograder.exercises import draws
from autograder.spec.edits import Mutant, Swap
from autograder.spec.exercise import Arguments, Bound

FORBIDDEN = ("softmax", "logsumexp", "logaddexp", "scaled_dot_product", "matmul", "bmm", "einsum")


def kv_heads(given: Arguments) -> int:
    return int(given["k_pool" if "k_pool" in given else "k"].shape[1])


def tiles_of_rows(given: Arguments) -> int:
    """Programs of attention in tiles of packed rows: one for each tile of a KV head's."""
    b, h, n_q, _ = given["q"].shape
    return int(b * kv_heads(given) * ceil(n_q * h // kv_heads(given) / given["tile_m"]))


def splits_and_heads(given: Arguments) -> int:
    """Programs of attention with split keys: one for each split of a KV head, and one for each query head."""
    return int(len(given["q"]) * kv_heads(given) * given["splits"] + given["q"][..., 0].size)


def output_and_lse_bytes(given: Arguments) -> int:
    return given["q"].nbytes + 4 * given["q"][..., 0].size


def keys_of_queries(given: Arguments) -> int:
    """How many keys all queries of a head see together."""
    n_q, n_k = given["q"].shape[2], given["k"].shape[2]
    if not given.get("causal"):
        return n_q * n_k
    return sum(max(0, i + 1 + n_k - n_q) for i in range(n_q))


def keys_of_rows(n_q: int, n_k: int, causal: bool, tile_m: int, tile_n: int, group: int = 1) -> list[int]:
    """How many keys each tile of tile_m rows reads, in tiles of tile_n; every query has `group` rows."""
    last = [min((t + 1) * tile_m, n_q * group) - 1 for t in range(ceil(n_q * group / tile_m))]
    seen = [max(0, row // group + 1 + n_k - n_q) if causal else n_k for row in last]
    return [min(n_k, ceil(count / tile_n) * tile_n) for count in seen]


def keys_of_each_tile(given: Arguments, tile_m: int, tile_n: int) -> list[int]:
    """How many keys each tile of rows of a KV head reads, into which the rows of its query heads are packed."""
    group = given["q"].shape[1] // kv_heads(given)
    return keys_of_rows(given["q"].shape[2], given["k"].shape[2], given.get("causal", False), tile_m, tile_n, group)


def keys_of_tiles(given: Arguments, tile_m: int, tile_n: int) -> int:
    return sum(keys_of_each_tile(given, tile_m, tile_n))


def queries_of_each_tile(given: Arguments, tile_m: int, tile_n: int) -> list[int]:
    """How many queries each tile of tile_n keys reads, from the first tile of tile_m that sees one of its keys."""
    n_q, n_k = given["q"].shape[2], given["k"].shape[2]
    hidden = n_q - n_k if given.get("causal") else -n_k
    begins = [max(first + hidden, 0) // tile_m * tile_m for first in range(0, n_k, tile_n)]
    return [n_q - min(begin, n_q) for begin in begins]


def queries_of_tiles(given: Arguments, tile_m: int, tile_n: int) -> int:
    return sum(queries_of_each_tile(given, tile_m, tile_n))


def whole(rows: list[int], tile: int) -> int:
    """Rows in whole tiles: each tile is loaded in full, with the lanes that a mask leaves out."""
    return sum(ceil(n / tile) for n in rows) * tile


def products_of_tiles(seen: list[int], tile: int, other: int, d: int, products: int = 2) -> int:
    """Multiplications of so many matrix products for each pair of tiles that meet.

    seen: for each tile of `other` rows how many rows of the other kind it meets, in whole tiles of `tile`.
    """
    return products * d * other * whole(seen, tile)


def larger_tile(given: Arguments) -> int:
    """Elements of a tile of queries or of keys, whichever is larger."""
    return max(given["tile_m"], given["tile_n"]) * int(given["q"].shape[-1])


def two_larger_tiles(given: Arguments) -> int:
    return 2 * larger_tile(given)


def tiles_of_queries(given: Arguments) -> int:
    batch, heads, n_q, _ = given["q"].shape
    return batch * heads * ceil(n_q / given["tile_m"])


def tiles_of_keys(given: Arguments) -> int:
    batch, heads, n_k, _ = given["k"].shape
    return batch * heads * ceil(n_k / given["tile_n"])


BY_QUERIES = Bound(tiles_of_queries, "one for each tile of queries of a head", exactly=True)
BY_KEYS = Bound(tiles_of_keys, "one for each tile of keys of a head", exactly=True)
OF_QUERIES = Bound(lambda a: a["tile_m"] * int(a["q"].shape[-1]), "a tile of consecutive queries")
OF_KEYS = Bound(lambda a: a["tile_n"] * int(a["k"].shape[-1]), "a tile of consecutive keys")
ONE_PAIR = "tile_m tile_n, and half as many: the scores of one pair of tiles"
NEIGHBOURS = Bound(lambda a: 0, "a tile or a chunk is of consecutive rows")
POWERS_OF_A_TILE = Bound(lambda a: 3 * int(a["q"][..., 0, 0].size) * a["tile_m"] * a["tile_n"] // 2, ONE_PAIR)


SEEN_BY_TORCH = "nine of ten scores that queries see"


def scores_seen(given: Arguments) -> int:
    """Nine tenths of the scores that queries see, of one head or of several."""
    n_q, n_k = given["q"].shape[-2], given["k"].shape[-2]
    seen = sum(max(0, i + 1 + n_k - n_q) for i in range(n_q)) if given.get("causal") else n_q * n_k
    return int(prod(given["q"].shape[:-2])) * seen * 9 // 10


RAISED = Bound(scores_seen, SEEN_BY_TORCH)
SWAYED_BY_A_TILE = Bound(lambda a: int(a["tile_n"]) + 4, "tile_n + 4: its tile's, and what rescales those before")


def product_at_a_time(rows: Callable[[Arguments], int], words: str) -> Bound:
    """Multiplications of one product of so many queries and tile_n keys, in S or in P V, and half as many."""

    def most(given: Arguments) -> int:
        width = max(given["q"].shape[-1], given["v"].shape[-1])
        return 3 * rows(given) * given["tile_n"] * int(width) // 2

    return Bound(most, f"{words} tile_n max(d, d_v), and half as many: one pair of tiles")


PRODUCT_OF_A_TILE = product_at_a_time(lambda a: int(a["tile_m"]), "tile_m")
PRODUCT_OF_A_CHUNK = product_at_a_time(lambda a: int(a["q"].shape[-2]), "N_q")
OF_SCORES = "half of the scores that queries see, by exp or exp2"
SEEN_SCORES = Bound(lambda a: int(a["q"][..., 0, 0].size) * keys_of_queries(a) // 2, OF_SCORES)
SEEN_PAIRS = "those of the tiles of queries and keys that see each other"


def scores_of_a_pair(given: Arguments) -> int:
    """How many scores a tile of queries and a tile of keys have together."""
    return int(given["tile_m"] * given["tile_n"])


def pair_of_tiles(given: Arguments) -> int:
    """Multiplications of one product of a tile of queries and a tile of keys, whichever of the two is summed over."""
    return scores_of_a_pair(given) * int(given["q"].shape[-1])


def twice_the_calls(products: Callable[[Arguments], int]) -> Bound:
    """So many products of tiles of the sizes given, and as many again: a tile may be multiplied in halves."""
    return Bound(
        lambda given: 2 * products(given) // pair_of_tiles(given),
        "twice those of the tiles of the sizes given that see each other",
    )


A_PAIR_AT_A_TIME: dict[str, Any] = {
    "at_a_time": Bound(pair_of_tiles, "tile_m tile_n d: a tile of queries and one of keys", everywhere=True),
    "powers": Bound(scores_of_a_pair, "tile_m tile_n: of one pair of tiles", everywhere=True),
}
ONE_TILE = Bound(larger_tile, "one tile of q, k or v", least=larger_tile)
TWO_TILES = Bound(two_larger_tiles, "one or two tiles of q, k or v", least=larger_tile)


def tiles_of_a_split(tile: str, merges: bool = True) -> Callable[[Arguments], int]:
    """Twice the elements of a tile of keys, of a KV head's queries, or of a query's splits, whichever is largest. tile:
    how many keys a tile has, by name. merges: whether the splits are merged, too.
    """

    def most(given: Arguments) -> int:
        _, heads, d = given["q"].shape
        merged = (heads // kv_heads(given), int(given["splits"]) if merges else 1)
        return 2 * int(d) * max(given[tile], 16, *(1 << (n - 1).bit_length() for n in merged))

    return most


def one_product_of_splits(given: Arguments) -> int:
    """Multiplications of one matrix product of a KV head's queries, 16 rows at least, and the tiles of its keys."""
    (b, h, d), heads, tile_n = given["q"].shape, kv_heads(given), given.get("tile_n", given.get("tile", 64))
    return heads * d * ceil(h / heads / 16) * 16 * (int(given["lengths"].sum()) + b * given["splits"] * tile_n)


def powers_of_splits(tile: str) -> Bound:
    """One exponential for each score of a KV head's queries with the tiles in its splits, and half as many."""
    products = products_of_splits(tile, merges=False)
    words = "one for each score of whole tiles in its splits, and half as many"
    return Bound(lambda a: 3 * products.most(a) // (4 * int(a["q"].shape[-1])), words)


def widest_in_a_split(tile: str, merges: bool = True) -> Bound:
    """Elements of one load; tile, merges: as in `tiles_of_a_split`. Some load holds a tile of keys."""
    return Bound(
        tiles_of_a_split(tile, merges), "two tiles, and one at least", least=lambda a: a[tile] * int(a["q"].shape[-1])
    )


def rows_of_a_split(given: Arguments, n: int, keys: int) -> int:
    """Of n keys in all, the most that one split multiplies: whole tiles of so many `keys`, one where it has none, or
    whole tiles of each block of a paged cache, where that is more.
    """
    share = max(ceil(ceil(n / int(given["splits"])) / keys), 1) * keys
    if "k_pool" not in given:
        return share
    block = int(given["k_pool"].shape[2])
    blocks = ceil(share / block) + (keys % block > 0)  # one more where splits begin within a block
    return max(share, blocks * ceil(block / keys) * keys)


def products_of_splits(tile: str, merges: bool = True) -> Bound:
    """Multiplications of both products of a KV head's queries with the tiles in its splits, and of one product of a
    query's splits; tile, merges: as in `tiles_of_a_split`.

    A query by itself may be multiplied number by number, so nothing is the least.
    """

    def most(given: Arguments) -> int:
        (_, heads, d), splits = given["q"].shape, int(given["splits"])
        rows, parts = (max(16, 1 << (n - 1).bit_length()) for n in (heads // kv_heads(given), splits))
        keys = sum(splits * rows_of_a_split(given, int(n), int(given[tile])) for n in given["lengths"])
        merged = 16 * parts * given["q"][..., 0].size * merges
        return int(d) * (2 * kv_heads(given) * rows * keys + int(merged))

    return Bound(most, "each tile of keys once in each product, with a KV head's queries", least=lambda a: 0)


def at_a_time_in_a_split(tile: str, merges: bool = True) -> Bound:
    """Multiplications of one product of a KV head's queries and a tile of keys, or of a query's splits; tile, merges:
    as in `tiles_of_a_split`.
    """

    def most(given: Arguments) -> int:
        _, heads, d = given["q"].shape
        rows, splits = (max(16, 1 << (n - 1).bit_length()) for n in (heads // kv_heads(given), int(given["splits"])))
        return int(d) * max(rows * int(given[tile]), 16 * splits * merges)

    return Bound(most, "a KV head's queries and one tile of keys", everywhere=True)


def products_of(matrices: int) -> Callable[[Arguments], int]:
    """Multiplications of so many matrix products of all tiles of queries and keys that meet."""

    def products(given: Arguments) -> int:
        (batch, _, _, d), tile_m, tile_n = given["q"].shape, given["tile_m"], given["tile_n"]
        keys = keys_of_each_tile(given, tile_m, tile_n)
        return int(batch * kv_heads(given) * products_of_tiles(keys, tile_n, tile_m, d, matrices))

    return products


one_product = products_of(1)
products_of_both = products_of(2)  # of S and of P V
ALL_TILES = Bound(one_product)


def multiplications(products: int) -> Callable[[Arguments], int]:
    """Of pairs of fragments (16 x 16 and 16 x 8), for as many products with each key that a query sees."""

    def least(given: Arguments) -> int:
        batch, heads, _, d = given["q"].shape
        return batch * heads * products * d * keys_of_queries(given) // (16 * 16 * 8)

    return least


def sums_of_scores(rows: Callable[[Arguments], list[int]], tile: int, other: Callable[[int], int]) -> Bound:
    """Pairs of fragments that the scores of all tiles take: exact sums, which end in zeros, while others do not.

    rows, tile: as in `by_four_warps`. other: how many rows a tile of the other kind has, by d.
    """

    def exact(given: Arguments) -> int:
        batch, heads, _, d = given["q"].shape
        return batch * heads * products_of_tiles(rows(given), tile or d, other(d), d, 1) // (16 * 16 * 8)

    return Bound(exact, "those of scores, which are exact")


def by_four_warps(rows: Callable[[Arguments], list[int]], tile: int, reads: int, beside: int = 0) -> Bound:
    """Bytes of shared memory: two tiles are written, and four warps read so many rows for each row of them.

    rows: that each block meets. beside: bytes of other numbers for each row. A quarter more is allowed.
    """

    def written_and_read(given: Arguments) -> int:
        batch, heads, _, d = given["q"].shape
        row = given["q"].itemsize * d * (2 + 4 * reads) + beside
        return batch * heads * whole(rows(given), tile) * row * 5 // 4

    return Bound(written_and_read, f"a quarter more than it takes if each warp reads {reads} rows for each of a tile")


CROSS = "causal, 5 queries at the end of 21 keys: query 0 already sees 17 of them"
EDGE = "causal, 16 queries and 17 keys: only the last query sees key 16, with which a tile of keys begins"
SCALED = "the scale is given: 0.2, not 1/sqrt(16)"
RISING = "the maximum grows in every tile"
FALLING = "the first 16 keys score 120 more than the rest: the maximum falls after the first tile"
LARGE = "scores from 150 to 250, where exp overflows"
SMALL = "scores from -500 to -150, where every exp is 0"
HALF = "fp16, values around 3000: undivided, their sum does not fit into fp16"
LEAPING = "the maximum grows in every tile, for three of four queries by 800 or 95 at once, or by 200 at the last key"
PEAKS = "the maximum falls after the first tile: its keys score 120 more, or two of them, which are alike, 200 more"
LOW = "scores from -150 down to -100,000, where every exp is 0"
HIDDEN_LOW = "causal, scores down to -100,000 beside hidden ones"
LOST = "fp16, 256 keys: one has most of the weight, and sums in fp16 would lose all others"
UNROUNDED = "fp16, scores are differences of terms around 100: a query that is scaled and rounded again is off"
COARSE = "fp16, scores from 150 on, 12 more in each tile: neither they nor weights above an old maximum fit into fp16"


def up(n: int) -> np.ndarray:
    return np.linspace(150, 250, n)


def down(n: int) -> np.ndarray:
    return np.linspace(-150, -500, n)


def climb(n: int) -> np.ndarray:
    return 0.25 * np.arange(n)


def twelve_a_tile(n: int) -> np.ndarray:
    """The maximum grows by about log 65504, the logarithm of the largest fp16, from a tile of 16 keys to the next."""
    return 150 + 0.716 * np.arange(n)


def leap(n: int) -> np.ndarray:
    """The first query in four, and so the last of 21, has the largest score at the last key."""
    late = np.arange(n) >= n // 2
    return climb(n) + np.stack([draws.at_last(n), np.zeros(n), 800 * late, 95 * late])


def peaks(n: int) -> np.ndarray:
    """The keys 0 and 1 are to be alike."""
    return np.stack([cliff(n), np.where(np.arange(n) < 2, 200.0, 0.0)])


def low(n: int) -> np.ndarray:
    return -np.geomspace(150, 1e5, n)


def cliff(n: int) -> np.ndarray:
    return np.where(np.arange(n) < 16, 120.0, 0.0)


NOT_SCALED = "the scores are not scaled by 1/sqrt(d)"
GIVEN_SCALE_IGNORED = "a scale that is handed in is ignored"
SCALED_TWICE = "the scale is applied twice, so that the scores are divided by d"


def scaling(product: str) -> list[Mutant]:
    """Mistakes with the scale, which multiplies `product`."""
    return [
        Mutant("not-scaled", NOT_SCALED, Swap(f"scale * {product}", product), killed_by="plain"),
        Mutant(
            "scaled-twice", SCALED_TWICE, Swap(f"scale * {product}", f"scale * scale * {product}"), killed_by="plain"
        ),
        Mutant("scale-ignored", GIVEN_SCALE_IGNORED, Swap("if scale is None else scale", ""), killed_by="scaled"),
    ]


TOP_LEFT = "the causal mask is aligned top-left (key <= query) instead of bottom-right"
OWN_KEY_HIDDEN = "the causal mask hides every query's own key: it is off by one"
ONE_KEY_MORE = "the causal mask lets every query see one key too many: it is off by one"


def masking(causal: str) -> list[Mutant]:
    """Mistakes in `key > query + n_k - n_q`; `causal` is the case of as many queries as keys."""
    return [
        Mutant("top-left", TOP_LEFT, Swap("query + n_k - n_q", "query"), killed_by="cross"),
        Mutant("own-key-hidden", OWN_KEY_HIDDEN, Swap("key > query", "key >= query"), killed_by=causal),
        Mutant("one-key-more", ONE_KEY_MORE, Swap("key > query", "key - 1 > query"), killed_by=causal),
    ]


def scores_and_mask(product: str) -> list[Mutant]:
    """Mistakes in the scores and in their causal mask."""
    ignored = Mutant("causal-ignored", "causal is ignored", Swap("if causal:", "if False:"), killed_by="causal")
    return [*scaling(product), *masking("causal"), ignored]


def dropped(*sides: str) -> list[Mutant]:
    """Mistakes at the end of the loops over tiles of `sides`, which are "keys" and "queries"."""
    found = []
    for side in sides:
        one, n, tile = {"keys": ("key", "n_k", "tile_n"), "queries": ("query", "n_q", "tile_m")}[side]
        loop, whole, but_one = (f"range(0, {n}{less}, {tile})" for less in ("", f" - {tile} + 1", " - 1"))
        ragged = f"the last, ragged tile of {side} is dropped"
        alone = f"the last {one} is not visited where it has a tile to itself"
        found.append(Mutant(f"ragged-{side}-dropped", ragged, Swap(loop, whole), killed_by="ragged"))
        found.append(Mutant(f"last-{one}-dropped", alone, Swap(loop, but_one), killed_by="ragged"))
    return found


NO_MAX = "the running max is left out: exp is taken of the scores as they are, or less a constant"
L_NOT_RESCALED = "the denominator l is not rescaled when the running max grows"
ONE_MAX = "one maximum is taken over the whole tile instead of one for each query"
P_IN_FP16 = "P is rounded to fp16 before it meets the values, although the inputs are float32"


def running_sums(exp: str, at: str, rows: str) -> list[Mutant]:
    """Mistakes in the running maximum, which the source takes by `rows`, and in the sums that are measured from it.

    `exp` is the power's function, `at` the maximum that is subtracted in it.
    """
    alpha, new = f"tl.{exp}(m - {at})", rows.removeprefix("tl.maximum(m, ").removesuffix(")")
    return [
        Mutant("no-max", NO_MAX, Swap(rows, "tl.zeros_like(m)"), killed_by="large-positive", hint=1),
        Mutant("l-not-rescaled", L_NOT_RESCALED, Swap("l = alpha * l +", "l = l +"), killed_by="rising"),
        Mutant(
            "nothing-rescaled",
            "neither acc nor l is rescaled when the running max grows",
            Swap(f"alpha = {alpha}", "alpha = tl.zeros_like(m) + 1"),
            killed_by="rising",
        ),
        Mutant(
            "tile-max",
            "the maximum of the tile replaces the running max, which may then fall",
            Swap(rows, new),
            killed_by="falling",
        ),
        Mutant("one-max", ONE_MAX, Swap("tl.max(s, axis=1)", "tl.max(s)"), killed_by="very-negative"),
        Mutant(
            "rescaled-late",
            "a larger maximum is taken only if it is larger by 12: until then a weight may be e^12, too large for fp16",
            Swap(rows, f"tl.where({new} > m + {17 if exp == 'exp2' else 12}, {new}, m)"),
            killed_by="float16-rising",
        ),
        Mutant(
            "p-in-fp16", P_IN_FP16, Swap("p.to(v.dtype)", "p.to(tl.float16).to(v.dtype)"), killed_by="plain", hint=3
        ),
    ]


ACC_NOT_RESCALED = "the accumulator is not rescaled when the running max grows"


def rescaling(old: str) -> list[Mutant]:
    """Of the accumulator; `old` is the line that updates it."""
    product = 'tl.dot(p.to(v.dtype), v, input_precision="ieee")'
    return [
        Mutant("acc-not-rescaled", ACC_NOT_RESCALED, Swap(old, f"acc = acc + {product}"), killed_by="rising"),
        Mutant(
            "rescaled-too-late",
            "the accumulator is rescaled after the new tile is added, so that the new tile is rescaled too",
            Swap(old, f"acc = (acc + {product}) * alpha[:, None]"),
            killed_by="plain",
        ),
        Mutant(
            "acc-in-fp16",
            "the accumulator is kept in fp16",
            Swap(old, f"acc = (acc * alpha[:, None] + {product}).to(tl.float16).to(tl.float32)"),
            killed_by="plain",
        ),
    ]


DENOMINATOR_NOT_RESCALED = "the denominator is not rescaled when the running max grows"
M_NOT_UPDATED = "m is never updated, so that every tile forgets the ones before it"
TILE_MAX = "the running max is replaced by each tile's own maximum, and exp(old - new) overflows where it falls"


def in_torch(row_max: str, beside: str) -> list[Mutant]:
    """The same in torch; `row_max` is the tile's maximum, `beside` what stands behind a number beside a row."""
    return [
        Mutant("acc-not-rescaled", ACC_NOT_RESCALED, Swap(f"alpha{beside} * acc", "acc"), killed_by="rising", hint=3),
        Mutant("l-not-rescaled", DENOMINATOR_NOT_RESCALED, Swap("alpha * l", "l"), killed_by="rising", hint=3),
        Mutant("m-not-updated", M_NOT_UPDATED, Swap("m = m_new", "pass"), killed_by="rising", hint=3),
        Mutant("tile-max", TILE_MAX, Swap(f"torch.maximum(m, {row_max})", row_max), killed_by="falling"),
        Mutant("one-max", ONE_MAX, Swap(row_max, "s.amax().expand_as(m)"), killed_by="very-negative"),
        Mutant(
            "no-shift",
            "no maximum is subtracted before exp",
            Swap(f"torch.maximum(m, {row_max})", "torch.zeros_like(m)"),
            killed_by="large-positive",
        ),
        Mutant(
            "divided-each-tile",
            "the accumulator is divided after every tile, as if it were the output",
            Swap("m = m_new", f"m = m_new\n            acc = acc / torch.where(l == 0, 1, l){beside}"),
            killed_by="rising",
            hint=1,
        ),
    ]


START_AT_ZERO = Mutant(
    "starts-at-0",
    "the running max is never below 0: it starts at 0 instead of -inf, or padding counts for it",
    Swap(', float("-inf"), tl.float32)', ", 0.0, tl.float32)"),
    killed_by="very-negative",
)

ACC = 'acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")'
ACC_IN_DOT = 'acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")'
MAX, MAX_2 = "tl.maximum(m, tl.max(s, axis=1))", "tl.maximum(m, tl.max(s, axis=1) * scale_2)"
ALPHA_THEN_P = "alpha = tl.exp2(m - {0})\n        p = tl.exp2(s * scale_2 - {0}[:, None])"
SCALE_IGNORED = Mutant(
    "scale-ignored",
    "the scale that is given is ignored",
    Swap("d**-0.5 if scale is None else scale", "d**-0.5"),
    killed_by="scaled",
    hint=4,
)
EXP_FOR_EXP2 = "exp stands where exp2 belongs, while the scale already holds log2(e)"
NO_LOG2E = "log2(e) is left out of the scale, so that the weights are powers of 2 instead of e"


def folded_scale(both: str) -> list[Mutant]:
    """Mistakes with the scale where it is folded into the exponent; `both` are the lines of alpha and p."""
    return [
        Mutant("exp-for-exp2", EXP_FOR_EXP2, Swap(both, both.replace("exp2", "exp")), killed_by="plain", hint=1),
        Mutant(
            "scaled-twice",
            "the scores are scaled before the exponent, which scales them again",
            Swap('s = tl.dot(q, k.T, input_precision="ieee")', 's = tl.dot(q, k.T, input_precision="ieee") * scale_2'),
            killed_by="plain",
        ),
        Mutant("no-log2e", NO_LOG2E, Swap(" * math.log2(math.e)", ""), killed_by="plain", hint=1),
        SCALE_IGNORED,
    ]


EXPONENT_NOT_SCALED = "the scale is left out of the exponent, but not of the maximum"
ALPHA_BASE_E = "the factor alpha is a power of e, while P is a power of 2"
P_BASE_E = "P is a power of e, while the factor alpha is a power of 2"


def half_folded_scale(both: str) -> list[Mutant]:
    """Mistakes where the scale, or the base, is right in one of the two places that have it."""
    alpha, p = sorted(line.strip() for line in both.split("\n"))
    return [
        Mutant("exponent-not-scaled", EXPONENT_NOT_SCALED, Swap("s * scale_2 -", "s -"), killed_by="plain"),
        Mutant(
            "max-not-scaled",
            "the scale is left out of the maximum, but not of the exponent",
            Swap("tl.max(s, axis=1) * scale_2", "tl.max(s, axis=1)"),
            killed_by="large-positive",
        ),
        Mutant("alpha-base-e", ALPHA_BASE_E, Swap(alpha, alpha.replace("exp2", "exp")), killed_by="rising", hint=1),
        Mutant("p-base-e", P_BASE_E, Swap(p, p.replace("exp2", "exp")), killed_by="plain", hint=1),
    ]


END = "seen_by_any = tl.minimum(first + TILE_M + n_k - n_q, n_k)"
ENDS_ONE_EARLY = "the loop over keys ends one key before the last one that the tile's last query sees"
END_ROUNDED_DOWN = "the end of the keys is rounded down to whole tiles, so that a tile seen in part is dropped"


def visited_keys(causal: str, full: str) -> list[Mutant]:
    """Mistakes with which keys a tile of queries visits; `causal` and `full` are cases with a causal mask and without.

    `full` has a tile of a single key.
    """
    return [
        Mutant(
            "whole-off-by-one",
            "a tile of keys goes unmasked although its last key is hidden from the first query: it is off by one",
            Swap("first + 1 + n_k - n_q", "first + 2 + n_k - n_q"),
            killed_by="edge-query",
        ),
        Mutant("ends-one-early", ENDS_ONE_EARLY, Swap(END, END.replace("TILE_M", "TILE_M - 1")), killed_by="edge-key"),
        Mutant("end-rounded-down", END_ROUNDED_DOWN, Swap(END, f"{END} // TILE_N * TILE_N"), killed_by=causal),
        Mutant(
            "full-last-key-dropped",
            "without a causal mask the last key is not visited where a tile of keys begins with it",
            Swap("seen_by_any = n_k\n", "seen_by_any = n_k - 1\n"),
            killed_by=full,
        ),
    ]


LSE = "(m + tl.log2(l)) * 0.6931471805599453"


LSE_BASE_2 = "L is left in base 2: it lacks the factor ln 2"
LSE_MAX_BASE_2 = "the maximum in L is left in base 2; only the denominator's logarithm is natural"
LSE_IN_BASE_2 = [
    Mutant("lse-base-2", LSE_BASE_2, Swap(LSE, "m + tl.log2(l)"), killed_by="plain", hint=3),
    Mutant("lse-max-base-2", LSE_MAX_BASE_2, Swap(LSE, "m + tl.log(l)"), killed_by="plain", hint=3),
]


def in_base_2(at: str, in_dot: bool = False, p_first: bool = False) -> list[Mutant]:
    """All mistakes of a kernel whose exponents are to base 2; `at` is the maximum that is subtracted in them.

    in_dot: the accumulator is handed to the product. p_first: the line of p stands before that of alpha.
    """
    powers = "p = tl.exp2(s * scale_2 - {0}[:, None])\n        alpha = tl.exp2(m - {0})" if p_first else ALPHA_THEN_P
    sums = [*running_sums("exp2", at, MAX_2), *rescaling(ACC_IN_DOT if in_dot else ACC), START_AT_ZERO]
    return [*LSE_IN_BASE_2, *folded_scale(powers.format(at)), *sums]
