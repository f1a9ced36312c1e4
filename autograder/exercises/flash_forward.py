"""Lesson 08: FlashAttention forward in Triton, from whole tiles to the kernel that the later lessons use."""

from collections.abc import Callable
from math import ceil

import numpy as np
from numpy.random import Generator
from torch import Tensor

from autograder.exercises.draws import swapped
from autograder.spec.exercise import Arguments, Budget, Case, Exercise, Mutant, Output, Question
from kernels import flash_forward, reference

Draw = Callable[[Generator], Arguments]

GROUPED = {"grouped": "every head has its own keys until lesson 15"}
CONTIGUOUS = {"strided": "contiguous inputs are part of the contract until the last step"}
NO_MASK = {
    "cross": "the causal mask comes in step 4; lengths of queries and keys differ in the other cases",
    "masked row": "without a causal mask every query sees every key",
}
FORBIDDEN = ("softmax", "logsumexp", "logaddexp", "scaled_dot_product", "matmul", "bmm", "einsum")


# What is right.


def with_lse(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None, **tiles: int | None
) -> tuple[Tensor, Tensor]:
    """Attention with all keys at once; tile sizes must not matter."""
    return reference.attention(q, k, v, causal, scale)


def without_lse(q: Tensor, k: Tensor, v: Tensor, scale: float | None = None, **tiles: int) -> Tensor:
    return reference.attention(q, k, v, False, scale)[0]


# Inputs.


def heads(*shape: int, tiles=(16, 16), level=0.0, profile=0.0, flat=False, dtype="float32", **rest: object) -> Draw:
    """q, k, v with shape = (B, H, N_q, N_k, d) and the tile sizes; `rest` is handed on.

    The scores, at the scale 1/sqrt(d), are about 2 * N(0, 1) + level + profile: `level` is a number or one for each
    query, `profile` a number or one for each key. q and k are multiples of 1/16, so the products are exact in any order
    of summation. The values drift along the keys. `flat`: all scores are near 0 and all values near 3000.
    """
    b, h, n_q, n_k, d = shape

    def draw(rng: Generator) -> Arguments:
        q, k = (np.round(16 * 1.5 * rng.standard_normal((b, h, n, d))) / 16 for n in (n_q, n_k))
        if np.any(level) or np.any(profile):
            q[..., -1], k[..., -1] = (level, d**0.5) if np.any(level) else (d**0.5, profile)
        v = rng.standard_normal((b, h, n_k, d)) + np.linspace(-2, 2, n_k)[:, None]
        if flat:
            q, v = q / 16, 3000 + 100 * v
        given = {name: x.astype(dtype) for name, x in (("q", q), ("k", k), ("v", v))}
        return given | rest | {"tile_m": tiles[0], "tile_n": tiles[1]}

    return draw


def tokens_first(*shape: int, **rest: object) -> Draw:
    """The same as views: (B, N, H, d) in memory, (B, H, N, d) to the function, as a model's projections leave them."""

    def draw(rng: Generator) -> Arguments:
        given = heads(*shape, **rest)(rng)
        moved = {name: swapped(given[name]) for name in "qkv"}
        return given | moved

    return draw


def columns_first(*shape: int, **rest: object) -> Draw:
    """The same as transposed views: (B, H, d, N) in memory, so that no row is contiguous."""

    def draw(rng: Generator) -> Arguments:
        given = heads(*shape, **rest)(rng)
        moved = {name: swapped(given[name], 2, 3) for name in "qkv"}
        return given | moved

    return draw


def on_a_gpu(**rest: object) -> Draw:
    """Shapes of a real call: two heads of 256 queries and keys, d = 64, fp16."""
    return heads(1, 2, 256, 256, 64, tiles=(128, 64), dtype="float16", **rest)


# What a call may move.


def query_tiles(given: Arguments) -> int:
    return ceil(given["q"].shape[2] / given["tile_m"])


def loads(given: Arguments) -> int:
    """BH (N_q d + ceil(N_q / B_M) 2 N_k d) elements, or less where the causal mask hides tiles."""
    b, h, n_q, d = given["q"].shape
    n_k, m, n = given["k"].shape[2], given["tile_m"], given["tile_n"]
    keys = query_tiles(given) * n_k
    if given.get("causal"):
        seen = [min(n_k, max(0, (t + 1) * m + n_k - n_q)) for t in range(query_tiles(given))]
        keys = sum(min(n_k, ceil(count / n) * n) for count in seen)
    return given["q"].itemsize * b * h * (n_q * d + 2 * keys * d)


def output_bytes(given: Arguments) -> int:
    return given["q"].nbytes


def output_and_lse_bytes(given: Arguments) -> int:
    return given["q"].nbytes + 4 * given["q"][..., 0].size


ALL_KEYS = Budget(
    loads=loads,
    stores=output_bytes,
    traffic_is="q once, k and v once for each tile of queries; o once",
    memory=output_bytes,
    memory_is="the output",
)
ALL_KEYS_LSE = Budget(
    loads=loads,
    stores=output_and_lse_bytes,
    traffic_is="q once, k and v once for each tile of queries; o and L once",
    memory=output_and_lse_bytes,
    memory_is="o and L",
)
SEEN_KEYS = Budget(
    loads=loads,
    stores=output_and_lse_bytes,
    traffic_is="q once; for each tile of queries the tiles of k and v that one of its queries sees; o and L once",
    memory=output_and_lse_bytes,
    memory_is="o and L",
)

# The situations, in the same words for every exercise that has them.

SCALED = "the scale is given: 0.2, not 1/sqrt(16)"
RISING = "the maximum grows in every tile"
FALLING = "the first 16 keys score 120 more than the rest: the maximum falls after the first tile"
LARGE = "scores from 150 to 250, where exp overflows"
SMALL = "scores from -500 to -150, where every exp is 0"
HALF = "fp16, values around 3000: undivided, their sum does not fit into fp16"
HEADS = "two batches of three heads, tiles of 32 queries and 16 keys, d = 32"


def up(n: int) -> np.ndarray:
    return np.linspace(150, 250, n)


def down(n: int) -> np.ndarray:
    return np.linspace(-150, -500, n)


def climb(n: int) -> np.ndarray:
    return 0.25 * np.arange(n)


def cliff(n: int) -> np.ndarray:
    return np.where(np.arange(n) < 16, 120.0, 0.0)


def situations(n_q: int, n_k: int) -> list[Case]:
    """Those that need no more than queries, keys and a scale, with n_q queries and n_k keys in tiles of 16."""
    grid = (16, 16)
    return [
        Case("scaled", SCALED, heads(1, 1, n_q, n_k, 16, scale=0.2), tile=grid),
        Case("rising", RISING, heads(1, 1, n_q, n_k, 16, profile=climb(n_k)), ("rising max",), tile=grid),
        Case("falling", FALLING, heads(1, 1, n_q, n_k, 16, profile=cliff(n_k)), tile=grid),
        Case("large-positive", LARGE, heads(1, 1, n_q, n_k, 16, level=up(n_q)), ("large positive",), tile=grid),
        Case("very-negative", SMALL, heads(1, 1, n_q, n_k, 16, level=down(n_q)), ("very negative",), tile=grid),
        Case("float16", HALF, heads(1, 1, n_q, n_k, 32, flat=True, dtype="float16"), tile=grid),
    ]


SINGLE = "one query and one key, in tiles of 16"
RAGGED = "21 queries, 33 keys: neither is a multiple of the tile 16, and the last tile holds one key"

FULL = [
    Case("plain", "one head, 16 queries, 32 keys, tiles of 16", heads(1, 1, 16, 32, 16), tile=(16, 16)),
    Case("heads", HEADS, heads(2, 3, 32, 48, 32, tiles=(32, 16)), tile=(32, 16)),
    *situations(32, 48),
    Case(
        "traffic",
        "bytes are counted: two heads, 64 queries, 96 keys, tiles of 32 and 16",
        heads(1, 2, 64, 96, 16, tiles=(32, 16)),
        tile=(32, 16),
        budget=True,
    ),
]

UNEVEN = [
    Case("plain", "one head, 20 queries, 40 keys, tiles of 16", heads(1, 1, 20, 40, 16), tile=(16, 16)),
    Case("single", SINGLE, heads(1, 1, 1, 1, 16), ("single",)),
    Case("ragged", RAGGED, heads(1, 2, 21, 33, 16), ("ragged",), tile=(16, 16)),
    Case(
        "one-tile-negative",
        "one whole tile, scores from -500 to -150",
        heads(1, 1, 16, 16, 16, level=down(16)),
        tile=(16, 16),
    ),
    Case("heads", "two batches of three heads, 37 queries, 45 keys, d = 32", heads(2, 3, 37, 45, 32, tiles=(32, 32))),
    *situations(21, 37),
    Case(
        "traffic",
        "bytes are counted: two heads, 61 queries, 83 keys, tiles of 32 and 16",
        heads(1, 2, 61, 83, 16, tiles=(32, 16)),
        tile=(32, 16),
        budget=True,
    ),
]

CAUSAL = "causal, 37 queries and keys"
EVEN = "causal, two heads, 32 queries and keys: the tile of 16 divides both"
WIDE = "causal, tiles of 16 queries and 32 keys"
TALL = "causal, tiles of 32 queries and 16 keys"
CROSS = "causal, 5 queries at the end of 21 keys: query 0 already sees 17 of them"
UNSEEN = "causal, 37 queries and only 11 keys: the first 26 queries see none, and their rows are 0 and -inf"
EDGE = "causal, 16 queries and 17 keys: only the last query sees key 16, with which a tile of keys begins"
CORNER = "causal, 18 queries and 16 keys: query 16, with which a tile begins, sees all keys but the last"
FULL_RAGGED = "not causal, 21 queries, 33 keys: the last tile holds one"

MASKED = [
    Case(
        "plain",
        "causal, one head, 20 queries and keys, tiles of 16",
        heads(1, 1, 20, 20, 16, causal=True),
        tile=(16, 16),
    ),
    Case("single", SINGLE, heads(1, 1, 1, 1, 16, causal=True), ("single",)),
    Case("not-causal", FULL_RAGGED, heads(1, 2, 21, 33, 16), tile=(16, 16)),
    Case("causal", CAUSAL, heads(2, 1, 37, 37, 16, causal=True), ("ragged",), tile=(16, 16)),
    Case("full-tiles", EVEN, heads(1, 2, 32, 32, 16, causal=True), tile=(16, 16)),
    Case("wide-tiles", WIDE, heads(1, 1, 50, 50, 16, tiles=(16, 32), causal=True), tile=(16, 32)),
    Case("tall-tiles", TALL, heads(1, 1, 50, 50, 16, tiles=(32, 16), causal=True), tile=(32, 16)),
    Case("cross", CROSS, heads(1, 2, 5, 21, 16, causal=True), ("cross",), tile=(16, 16)),
    Case("edge-key", EDGE, heads(1, 1, 16, 17, 16, causal=True), tile=(16, 16)),
    Case("edge-query", CORNER, heads(1, 1, 18, 16, 16, causal=True), tile=(16, 16)),
    Case("fully-masked", UNSEEN, heads(1, 1, 37, 11, 16, causal=True), ("masked row",), tile=(16, 16)),
    *situations(21, 37),
    Case(
        "traffic",
        "bytes are counted: causal, two heads, 45 queries, 61 keys, tiles of 16",
        heads(1, 2, 45, 61, 16, causal=True),
        tile=(16, 16),
        budget=True,
    ),
]

DEEP = "d = 128, 33 queries, 50 keys, causal"
TOKENS_FIRST = "heads lie inside tokens, as a model's projections leave them"
WHOLE = [
    *MASKED[:-1],
    Case("wide-head", DEEP, heads(1, 1, 33, 50, 128, tiles=(32, 32), causal=True), tile=(32, 32)),
    Case(
        "wide-head-rising",
        "d = 128, the maximum grows in every tile",
        heads(1, 1, 16, 48, 128, profile=climb(48)),
        tile=(16, 16),
    ),
    Case(
        "wide-head-masked",
        "d = 128, causal, 37 queries and only 11 keys",
        heads(1, 1, 37, 11, 128, causal=True),
        tile=(16, 16),
    ),
    Case(
        "float16-causal",
        "d = 64, fp16, causal, tiles of 32",
        heads(1, 1, 40, 40, 64, tiles=(32, 32), dtype="float16", causal=True),
    ),
    Case("heads", "two batches of three heads, not causal", heads(2, 3, 17, 20, 32), tile=(16, 16)),
    Case("strided", TOKENS_FIRST, tokens_first(2, 3, 19, 20, 32, causal=True), ("strided",), tile=(16, 16)),
    Case("no-contiguous-row", "no row is contiguous", columns_first(1, 2, 19, 20, 16), tile=(16, 16)),
    MASKED[-1],
]

# Mistakes.


def mistakes(exp: str, at: str, rows: str, scores: str = "s") -> list[Mutant]:
    """Of the running sums, for every step; `at` is the maximum that is subtracted, `scores` what the exponent takes."""
    alpha, p = f"tl.{exp}(m - {at})", f"tl.{exp}({scores} - {at}[:, None])"
    return [
        Mutant(
            "the running max is left out: the exponentials are taken of the scores as they are",
            old=rows,
            new="tl.zeros_like(m)",
            killed_by="large-positive",
            hint=1,
        ),
        Mutant(
            "the denominator l is not rescaled when the running max grows",
            old="l = alpha * l +",
            new="l = l +",
            killed_by="rising",
            hint=2,
        ),
        Mutant(
            "neither acc nor l is rescaled when the running max grows",
            old=f"alpha = {alpha}",
            new="alpha = tl.zeros_like(m) + 1",
            killed_by="rising",
            hint=2,
        ),
        Mutant(
            "the maximum of the tile replaces the running max, which may then fall",
            old=rows,
            new=rows.removeprefix("tl.maximum(m, ").removesuffix(")"),
            killed_by="falling",
            hint=2,
        ),
        Mutant(
            "one maximum is taken over the whole tile instead of one for each query",
            old="tl.max(s, axis=1)",
            new="tl.max(s)",
            killed_by="very-negative",
            hint=2,
        ),
        Mutant(
            "P is rounded to fp16 before it meets the values, although the inputs are float32",
            old="p.to(v.dtype)",
            new="p.to(tl.float16).to(v.dtype)",
            killed_by="plain",
            hint=3,
        ),
        Mutant(
            "the sums of the earlier tiles are forgotten, so that only the last tile of keys counts",
            old=f"alpha = {alpha}",
            new="alpha = tl.zeros_like(m)",
            killed_by="plain",
            hint=2,
        ),
        Mutant(
            "the factor is upside down: e^(m' - m) instead of e^(m - m')",
            old=f"alpha = {alpha}",
            new=f"alpha = tl.where(m < {at} - 1e30, 0.0, tl.{exp}({at} - m))",
            killed_by="rising",
            hint=2,
        ),
        Mutant(
            "the new exponentials are measured from the old max",
            old=f"p = {p}",
            new=f"p = tl.{exp}({scores} - tl.where(m == float('-inf'), {at}, m)[:, None])",
            killed_by="rising",
            hint=2,
        ),
        Mutant(
            "the denominator sums P over the whole tile instead of along each query's row",
            old="tl.sum(p, axis=1)",
            new="tl.sum(p)",
            killed_by="plain",
            hint=2,
        ),
    ]


def rescaling(old: str) -> list[Mutant]:
    """Of the accumulator; `old` is the line that updates it."""
    product = 'tl.dot(p.to(v.dtype), v, input_precision="ieee")'
    return [
        Mutant(
            "the accumulator is not rescaled when the running max grows",
            old=old,
            new=f"acc = acc + {product}",
            killed_by="rising",
            hint=2,
        ),
        Mutant(
            "the accumulator is kept in fp16",
            old=old,
            new=f"acc = (acc * alpha[:, None] + {product}).to(tl.float16).to(tl.float32)",
            killed_by="plain",
            hint=2,
        ),
    ]


DIVIDED_EARLY = Mutant(
    "the accumulator is divided by the denominator after every tile, and not only at the end",
    old="m = m_new",
    new="acc, m = acc / l[:, None], m_new",
    killed_by="plain",
    hint=1,
)
START_AT_ZERO = Mutant(
    "the running max starts at 0 instead of at -inf",
    old='tl.full((TILE_M,), float("-inf"), tl.float32)',
    new="tl.zeros((TILE_M,), tl.float32)",
    killed_by="very-negative",
    hint=2,
)
ACC = 'acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")'
ACC_IN_DOT = 'acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")'
MAX, MAX_2 = "tl.maximum(m, tl.max(s, axis=1))", "tl.maximum(m, tl.max(s, axis=1) * scale_2)"
ALPHA_THEN_P = "alpha = tl.exp2(m - {0})\n        p = tl.exp2(s * scale_2 - {0}[:, None])"
P_THEN_ALPHA = "p = tl.exp2(s * scale_2 - {0}[:, None])\n        alpha = tl.exp2(m - {0})"
GIVEN_SCALE = "d**-0.5 if scale is None else scale"


def natural_scale() -> list[Mutant]:
    """Mistakes with the scale where the scores are scaled at once."""
    scaled = 's = tl.dot(q, k.T, input_precision="ieee") * scale'
    return [
        Mutant("the scores are not scaled", old=scaled, new=scaled.removesuffix(" * scale"), killed_by="plain", hint=2),
        Mutant("the scores are scaled twice", old=scaled, new=f"{scaled} * scale", killed_by="plain", hint=2),
        Mutant("the scale that is given is ignored", old=GIVEN_SCALE, new="d**-0.5", killed_by="scaled", hint=4),
    ]


def folded_scale(both: str) -> list[Mutant]:
    """Mistakes with the scale where it is folded into the exponent; `both` are the lines of alpha and p."""
    alpha, p = sorted(line.strip() for line in both.split("\n"))
    return [
        Mutant(
            "exp stands where exp2 belongs, while the scale already holds log2(e)",
            old=both,
            new=both.replace("exp2", "exp"),
            killed_by="plain",
            hint=1,
        ),
        Mutant(
            "the scores are scaled before the exponent, which scales them again",
            old='s = tl.dot(q, k.T, input_precision="ieee")',
            new='s = tl.dot(q, k.T, input_precision="ieee") * scale_2',
            killed_by="plain",
            hint=2,
        ),
        Mutant(
            "log2(e) is left out of the scale, so that the weights are powers of 2 instead of e",
            old=" * math.log2(math.e)",
            new="",
            killed_by="plain",
            hint=1,
        ),
        Mutant("the scale that is given is ignored", old=GIVEN_SCALE, new="d**-0.5", killed_by="scaled", hint=4),
        Mutant(
            "the scale is left out of the exponent, but not of the maximum",
            old="s * scale_2 -",
            new="s -",
            killed_by="plain",
            hint=2,
        ),
        Mutant(
            "the scale is left out of the maximum, but not of the exponent",
            old="tl.max(s, axis=1) * scale_2",
            new="tl.max(s, axis=1)",
            killed_by="large-positive",
            hint=2,
        ),
        Mutant(
            "the factor alpha is a power of e, while P is a power of 2",
            old=alpha,
            new=alpha.replace("exp2", "exp"),
            killed_by="rising",
            hint=1,
        ),
        Mutant(
            "P is a power of e, while the factor alpha is a power of 2",
            old=p,
            new=p.replace("exp2", "exp"),
            killed_by="plain",
            hint=1,
        ),
    ]


def log_sum_exps() -> list[Mutant]:
    """Mistakes with L."""
    right = "(m + tl.log2(l)) * 0.6931471805599453"
    wrong = {
        "L is left in base 2: it lacks the factor ln 2": "m + tl.log2(l)",
        "the maximum in L is left in base 2; only the denominator's logarithm is natural": "m + tl.log(l)",
        "L is the maximum alone, without the logarithm of the denominator": "m * 0.6931471805599453",
        "L is the logarithm of the denominator alone, without the maximum": "tl.log(l)",
        "L is multiplied by log2(e) where it has to be divided by it": "(m + tl.log2(l)) * 1.4426950408889634",
    }
    return [Mutant(name, old=right, new=new, killed_by="plain", hint=3) for name, new in wrong.items()]


def loaded_again(key: str, value: str) -> Mutant:
    """`key` and `value` are the lines of the source that load k and v."""
    return Mutant(
        "the keys are loaded a second time, beside the values",
        old=value,
        new=f"{value}\n        k = {key.split('= ', 1)[1]}",
        killed_by="traffic",
        hint=1,
    )


def all_scores() -> Mutant:
    return Mutant(
        "all scores are given a place in main memory",
        old="o = torch.empty_like(q)",
        new="scores = torch.empty(batch, heads, n_q, k.shape[2])\n    o = torch.empty_like(q)",
        killed_by="traffic",
        hint=1,
    )


RAGGED_LOADS = (
    "k = tl.load(k_ptr + there, mask=keys[:, None] < n_k, other=0)",
    "v = tl.load(v_ptr + there, mask=keys[:, None] < n_k, other=0)",
)


def past_the_end(maximum: str) -> list[Mutant]:
    """Mistakes at a ragged end of the keys."""
    masked = 's = tl.where(keys < n_k, s, float("-inf"))'
    m_new = f"m_new = {maximum}"
    return [
        Mutant(
            "keys past the end keep their score 0, so each of them gets the weight of a key",
            old=f"{masked}\n        ",
            new="",
            killed_by="plain",
            hint=2,
        ),
        Mutant("one key past the end is counted", old=masked, new=masked.replace("<", "<="), killed_by="plain", hint=2),
        Mutant(
            "the last key is masked away too",
            old=masked,
            new=masked.replace("keys < n_k", "(keys < n_k - 1) | (n_k == 1)"),
            killed_by="plain",
            hint=2,
        ),
        Mutant(
            "the last tile of keys is dropped when it is not whole",
            old="range(0, n_k, TILE_N)",
            new="range(0, n_k - TILE_N + 1, TILE_N)",
            killed_by="plain",
            hint=2,
        ),
        Mutant(
            "the last key is not visited where it has a tile to itself",
            old="range(0, n_k, TILE_N)",
            new="range(0, n_k - 1, TILE_N)",
            killed_by="ragged",
            hint=2,
        ),
        Mutant(
            "the maximum is taken before the keys past the end are masked, so it counts their zeros",
            old=f"{masked}\n        {m_new}",
            new=f"{m_new}\n        {masked}",
            killed_by="very-negative",
            hint=2,
        ),
    ]


def causal_limits() -> list[Mutant]:
    """Mistakes with what a tile of queries sees."""
    last = "last = rows + n_k - n_q"
    end = "seen_by_any = tl.minimum(first + TILE_M + n_k - n_q, n_k)"
    return [
        Mutant(
            "the causal mask is ignored",
            old="if CAUSAL:\n        last",
            new="if False:\n        last",
            killed_by="plain",
            hint=1,
        ),
        Mutant("a query sees the key after its own too", old=last, new=f"{last} + 1", killed_by="plain", hint=2),
        Mutant("a query does not see its own key", old=last, new=f"{last} - 1", killed_by="plain", hint=2),
        Mutant(
            "the mask is aligned top-left: the offset N_k - N_q is missing",
            old=last,
            new="last = rows",
            killed_by="cross",
            hint=2,
        ),
        Mutant(
            "the tiles on the diagonal are visited without their causal mask",
            old=last,
            new="last = tl.zeros_like(rows) + n_k - 1",
            killed_by="plain",
            hint=1,
        ),
        Mutant(
            "the keys that need no mask are counted for the tile's last query, so the diagonal is not masked",
            old="first + 1 + n_k - n_q",
            new="first + TILE_M + n_k - n_q",
            killed_by="plain",
            hint=2,
        ),
        Mutant(
            "a tile of keys goes unmasked although its last key is hidden from the first query: it is off by one",
            old="first + 1 + n_k - n_q",
            new="first + 2 + n_k - n_q",
            killed_by="edge-query",
            hint=2,
        ),
        Mutant(
            "the loop over keys ends one key before the last one that the tile's last query sees",
            old=end,
            new="seen_by_any = tl.minimum(first + TILE_M - 1 + n_k - n_q, n_k)",
            killed_by="edge-key",
            hint=2,
        ),
        Mutant(
            "the last key of all is not visited where a tile of keys begins with it",
            old=end,
            new="seen_by_any = tl.minimum(first + TILE_M + n_k - n_q, n_k - 1)",
            killed_by="edge-key",
            hint=2,
        ),
        Mutant(
            "without a causal mask the last, ragged tile of keys is dropped",
            old="seen_by_any = n_k\n",
            new="seen_by_any = n_k // TILE_N * TILE_N\n",
            killed_by="not-causal",
            hint=2,
        ),
        Mutant(
            "without a causal mask the last key is not visited where a tile of keys begins with it",
            old="seen_by_any = n_k\n",
            new="seen_by_any = n_k - 1\n",
            killed_by="not-causal",
            hint=2,
        ),
        Mutant(
            "the tile of keys that holds the diagonal is skipped",
            old=end,
            new="seen_by_any = tl.minimum(first + n_k - n_q, n_k)",
            killed_by="plain",
            hint=2,
        ),
        Mutant(
            "the end of the keys is rounded down to whole tiles, so that a tile seen in part is dropped",
            old=end,
            new=f"{end} // TILE_N * TILE_N",
            killed_by="plain",
            hint=2,
        ),
        Mutant(
            "the keys end where the queries do: the offset N_k - N_q is missing in the last key visited",
            old=end,
            new="seen_by_any = tl.minimum(first + TILE_M, n_k)",
            killed_by="cross",
            hint=2,
        ),
        Mutant(
            "one key past the end is counted when there is no causal mask",
            old="n_k - 1, tl.int32",
            new="n_k, tl.int32",
            killed_by="not-causal",
            hint=2,
        ),
        Mutant(
            "a query that sees no key computes -inf - (-inf), which is NaN",
            old='shift = tl.where(m_new == float("-inf"), 0.0, m_new)',
            new="shift = m_new",
            killed_by="fully-masked",
            hint=3,
        ),
        Mutant(
            "a query that sees no key divides 0 by 0",
            old="l = tl.where(l == 0, 1.0, l)",
            new="l = l + 0",
            killed_by="fully-masked",
            hint=3,
        ),
        Mutant(
            "masked scores are large negative numbers, so that a query that sees no key averages all values",
            old='s = tl.where(keys <= last[:, None], s, float("-inf"))',
            new="s = tl.where(keys <= last[:, None], s, -1e6)",
            killed_by="fully-masked",
            hint=3,
        ),
        Mutant(
            "tiles of keys that the mask hides are visited all the same",
            old=end,
            new="seen_by_any = n_k",
            killed_by="traffic",
            hint=1,
        ),
    ]


def split_loop() -> list[Mutant]:
    """Mistakes with the place where the first loop ends and the second begins."""
    whole = "whole = seen_by_all // TILE_N * TILE_N"
    return [
        Mutant(
            "the loop without a mask takes the tile in which the mask begins as well",
            old=whole,
            new="whole = (seen_by_all + TILE_N - 1) // TILE_N * TILE_N",
            killed_by="full-tiles",
            hint=2,
        ),
        Mutant(
            "the masked loop does not start where a tile of keys starts",
            old=whole,
            new="whole = seen_by_all",
            killed_by="plain",
            hint=2,
        ),
    ]


EXERCISES = [
    Exercise(
        function=flash_forward.flash_full,
        kernels=(flash_forward.flash_full_kernel,),
        oracle=without_lse,
        outputs=(Output("O"),),
        points=3,
        backend="triton",
        forbidden=FORBIDDEN,
        cases=FULL,
        compiled=on_a_gpu(),
        budget=ALL_KEYS,
        without=GROUPED
        | CONTIGUOUS
        | NO_MASK
        | {
            "single": "whole tiles only; one query comes in step 2",
            "ragged": "lengths are multiples of the tiles here",
        },
        mutants=[
            *mistakes("exp", "m_new", MAX),
            *rescaling(ACC),
            DIVIDED_EARLY,
            *natural_scale(),
            START_AT_ZERO,
            Mutant(
                "the output is not divided by the denominator",
                old="acc / l[:, None]",
                new="acc",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "every tile of keys meets the values of the first tile",
                old="v = tl.load(v_ptr + there)",
                new="v = tl.load(v_ptr + tl.arange(0, TILE_N)[:, None] * D + columns)",
                killed_by="plain",
                hint=2,
            ),
            Mutant(
                "only the first tile of keys is visited",
                old="range(0, n_k, TILE_N)",
                new="range(0, TILE_N, TILE_N)",
                killed_by="plain",
                hint=2,
            ),
            Mutant(
                "the queries are loaded anew for every tile of keys",
                old="k = tl.load(k_ptr + there)",
                new="q = tl.load(q_ptr + here)\n        k = tl.load(k_ptr + there)",
                killed_by="traffic",
                hint=1,
            ),
            loaded_again("k = tl.load(k_ptr + there)", "v = tl.load(v_ptr + there)"),
            all_scores(),
        ],
        hints=[
            "It is lazy_attention of lesson 03, the life of one tile of queries: q is loaded once, before the loop, "
            "and stays; k and v come and go; acc, m and l stay in registers; the division is the last thing that "
            "happens.",
            "Both sums are measured from the same maximum. When a tile raises it from m to m', acc and l are both "
            "multiplied by alpha = e^(m - m') before the new tile is added. m starts at -inf, the sums at 0, all in "
            "float32. The second product takes p in the dtype of v.",
            "One query, two tiles of one key, scores 1 and 3, values 10 and 20. After the first tile m = 1, l = 1, acc "
            "= 10. Second: m' = 3, alpha = e^-2 = 0.135, p = 1, so l = 0.135 + 1 = 1.135, acc = 1.353 + 20 = 21.353, "
            "and o = 18.81. As a check, softmax([1, 3]) = [0.119, 0.881] gives 1.19 + 17.62 = 18.81.",
        ],
    ),
    Exercise(
        function=flash_forward.flash_ragged,
        kernels=(flash_forward.flash_ragged_kernel,),
        oracle=without_lse,
        outputs=(Output("O"),),
        points=2,
        backend="triton",
        forbidden=FORBIDDEN,
        cases=UNEVEN,
        compiled=on_a_gpu(),
        budget=ALL_KEYS,
        without=GROUPED | CONTIGUOUS | NO_MASK,
        mutants=[
            *past_the_end(MAX),
            *mistakes("exp", "m_new", MAX),
            *rescaling(ACC),
            *natural_scale(),
            START_AT_ZERO,
            loaded_again(*RAGGED_LOADS),
            all_scores(),
        ],
        hints=[
            "A tile that hangs over the end has rows that do not exist. What does not exist is neither read nor "
            "written, and a key that does not exist gets no weight. Three masks: on the loads, on the scores, on the "
            "store.",
            "A masked load gives `other`. A key of zeros has the score 0, which is a score like any other, so its "
            "score must be replaced by -inf before the maximum is taken. The values need `other=0` too: their weight "
            "is 0, but 0 times what happens to lie there may be NaN.",
            "N_k = 5, tiles of 4: the second tile holds the keys 4, 5, 6, 7, and only 4 < 5. Its scores are [s, 0, 0, "
            "0] before the mask and [s, -inf, -inf, -inf] after it. Unmasked, with s = 0 and four scores of 0 before, "
            "l would be 8 instead of 5.",
        ],
    ),
    Exercise(
        function=flash_forward.flash_lse,
        kernels=(flash_forward.flash_lse_kernel,),
        oracle=with_lse,
        outputs=(Output("O"), Output("L", "float32")),
        points=3,
        backend="triton",
        forbidden=FORBIDDEN,
        cases=UNEVEN,
        compiled=on_a_gpu(),
        budget=ALL_KEYS_LSE,
        without=GROUPED | CONTIGUOUS | NO_MASK,
        mutants=[
            *log_sum_exps(),
            *folded_scale(ALPHA_THEN_P.format("m_new")),
            *past_the_end(MAX_2),
            *mistakes("exp2", "m_new", MAX_2, "s * scale_2"),
            *rescaling(ACC),
            START_AT_ZERO,
            loaded_again(*RAGGED_LOADS),
        ],
        hints=[
            "Measure everything in powers of 2. With c = scale * log2(e), e^(scale s) = 2^(c s), so the running max is "
            "that of c s, every exp becomes an exp2, and the weights are what they were.",
            "The product s = q k^T stays unscaled. c enters in two places, at the maximum of a row (one multiplication "
            "a row) and inside exp2 (one for each score, together with the subtraction). alpha is exp2(m - m').",
            "Scores 1 and 3 as before: in base 2 they are 1.443 and 4.328, m = 4.328, p = [0.135, 1], l = 1.135. "
            "m + log2(l) = 4.328 + 0.183 = 4.511 is the log-sum-exp in base 2; times ln 2 = 0.693 it is L = 3.127 = "
            "log(e^1 + e^3).",
        ],
    ),
    Exercise(
        function=flash_forward.flash_causal,
        kernels=(flash_forward.visit_keys, flash_forward.flash_causal_kernel),
        oracle=with_lse,
        outputs=(Output("O"), Output("L", "float32")),
        points=4,
        backend="triton",
        forbidden=FORBIDDEN,
        cases=MASKED,
        compiled=on_a_gpu(causal=True),
        budget=SEEN_KEYS,
        without=GROUPED | CONTIGUOUS,
        mutants=[
            *causal_limits(),
            *split_loop(),
            *log_sum_exps()[:3],
            *folded_scale(ALPHA_THEN_P.format("shift"))[:4],
            *mistakes("exp2", "shift", MAX_2, "s * scale_2")[:6],
            *rescaling(ACC),
            START_AT_ZERO,
        ],
        hints=[
            "Three kinds of tiles: those that every query of the tile sees whole, those that some of them see in "
            "part, and those that nobody sees. The first loop takes the first kind without a mask, the second loop the "
            "second kind with one, and nothing takes the third.",
            "Query i sees the keys up to i + N_k - N_q. The first query of the tile sees fewest: its number of keys, "
            "not below 0 and not above N_k, rounded down to whole tiles, ends the first loop and starts the second. "
            "The last query of the tile sees most, which ends the second. In it, compare every key with the last one "
            "that each query sees.",
            "N_q = 40, N_k = 48, B_M = B_N = 16, the queries 16 to 31. Query 16 sees 16 + 1 + 8 = 25 keys, so whole = "
            "16; query 31 sees 40. First loop: keys 0 to 15. Second loop: the tiles at 16 and at 32. The tile at 32 "
            "is hidden whole from query 16, which has seen others by then. A query that has seen none has m' = -inf: "
            "take 0 in its place, and divide by 1 where l is 0.",
        ],
    ),
    Exercise(
        function=flash_forward.flash_attention,
        kernels=(flash_forward.flash_attention_kernel,),
        oracle=with_lse,
        outputs=(Output("O"), Output("L", "float32")),
        points=5,
        backend="triton",
        forbidden=FORBIDDEN,
        allowed=("clone",),
        cases=WHOLE,
        compiled=on_a_gpu(causal=True),
        budget=SEEN_KEYS,
        without=GROUPED,
        mutants=[
            *causal_limits(),
            *log_sum_exps()[:3],
            *folded_scale(P_THEN_ALPHA.format("shift"))[:4],
            *mistakes("exp2", "shift", MAX_2, "s * scale_2")[:6],
            *rescaling(ACC_IN_DOT),
            START_AT_ZERO,
            Mutant(
                "the mask is not applied in the tile in which it begins",
                old="if start + TILE_N > seen_by_all:",
                new="if start > seen_by_all:",
                killed_by="plain",
                hint=2,
            ),
            Mutant(
                "every tile of keys meets the values of the first tile",
                old="v_desc.load([b, h, start, 0])",
                new="v_desc.load([b, h, 0, 0])",
                killed_by="plain",
                hint=2,
            ),
            Mutant(
                "every tile of queries is the first one",
                old="q_desc.load([b, h, first, 0])",
                new="q_desc.load([b, h, 0, 0])",
                killed_by="plain",
                hint=2,
            ),
            Mutant(
                "all heads of a batch read the keys of its first head",
                old="k_desc.load([b, h, start, 0])",
                new="k_desc.load([b, 0, start, 0])",
                killed_by="full-tiles",
                hint=2,
            ),
            Mutant(
                "all batches read the values of the first one",
                old="v_desc.load([b, h, start, 0])",
                new="v_desc.load([0, h, start, 0])",
                killed_by="causal",
                hint=2,
            ),
            Mutant(
                "the strides of the inputs are ignored",
                old="list(x.stride())",
                new="[x.shape[1] * x.shape[2] * d, x.shape[2] * d, d, 1]",
                killed_by="strided",
                hint=4,
            ),
        ],
        hints=[
            "It is step 4 with other loads, another store, and one loop instead of two. What was pointer, mask and "
            "stride is now a descriptor, and a load names batch, head, first row and first column of the tile.",
            "A descriptor's tile has the shape (1, 1, rows, d): reshape it to (rows, d) after a load, and back "
            "before the store. Rows past the end come in as zeros, so scores are masked as before, in every tile "
            "that reaches past the keys that all queries see. The old accumulator goes into tl.dot as its third "
            "argument.",
            "Tiles of 16; the first query of the tile sees 25 keys, the last one 40. start is 0, 16, 32. At 0 the tile "
            "ends at key 15, which all see: 16 > 25 is false, no mask. At 16: 32 > 25, mask. At 32: 48 > 25, mask, and "
            "the keys 40 to 47 are hidden from everybody.",
        ],
    ),
]

QUESTIONS = [
    Question(
        name="programs",
        ask="One sequence, 16 heads, 16,384 queries in tiles of 128: how many programs does the launch start?",
        answer=2048,
        rel=0,
        why="16,384 / 128 = 128 tiles of queries for each of 16 heads: 2048. One program a head would leave 116 of an "
        "H200's 132 multiprocessors idle.",
        unit="programs",
    ),
    Question(
        name="float16_sum",
        ask="Start from 0 and add 1, 4096 times, rounding to float16 after every addition. Where do you arrive?",
        answer=2048,
        rel=0,
        why="From 2048 on neighbouring float16 numbers are 2 apart: 2049 lies between 2048 and 2050 and is rounded to "
        "the even one, 2048. The sum never gets further.",
    ),
    Question(
        name="megabytes_loaded",
        ask="One head, N = 4096 queries and keys, d = 64, fp16, tiles of 128 queries: how many megabytes (10^6 bytes) "
        "do all programs load?",
        answer=34.08,
        rel=0.01,
        why="Q once is 4096 * 64 * 2 = 0.52 MB; K and V for each of the 32 tiles of queries are 32 * 2 * 0.52 = 33.55 "
        "MB. Together 34.08 MB, however large the tiles of keys are.",
        unit="MB",
    ),
    Question(
        name="exponentials_to_products",
        ask="3.9e12 exponentials and 989e12 operations of matrix products a second, d = 64: how long do the "
        "exponentials take, as a multiple of the time of the products?",
        answer=0.99,
        rel=0.03,
        why="A score costs one exponential, 1 / 3.9e12 s, and 4 d = 256 operations, 256 / 989e12 s. The ratio is 989 / "
        "(3.9 * 256) = 0.99.",
    ),
    Question(
        name="keys_without_mask",
        ask="N_q = N_k = 128, tiles of 16 queries and 32 keys: how many keys does the tile of queries 48 to 63 visit "
        "without a mask?",
        answer=32,
        rel=0,
        why="Query 48 sees 49 keys, and 49 holds one whole tile of 32. The second tile, keys 32 to 63, is masked: "
        "query 48 sees only 32 to 48 of it.",
        unit="keys",
    ),
    Question(
        name="registers",
        ask="Tiles of 128 by 128, d = 128, 8 warps of 32 threads: how many registers of 4 bytes do S and acc, both "
        "float32, take in each thread?",
        answer=128,
        rel=0,
        why="S and acc are 128 * 128 numbers each, and 256 threads share them: 2 * 16,384 / 256 = 128 registers, of "
        "the 255 that a thread can have.",
        unit="registers",
    ),
]
