"""Lesson 09: the gradients of attention, first in torch with whole matrices and tiles, then in Triton."""

from typing import Any

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor

from autograder.exercises.draws import on_grid, swapped
from autograder.spec.exercise import Arguments, Budget, Case, Exercise, Mutant, Output, Question, Tolerance
from kernels import flash_backward, reference

GRADIENTS = Tolerance(factor=3)
ONE_HEAD = {"grouped": "heads come with the kernels, and groups of them in lesson 15"}
NO_MAX = {"rising max": "there is no running maximum: L is known from the start"}
HEADS = {"grouped": "every head has its own keys until lesson 15"}
KERNEL_FORBIDDEN = ("softmax", "scaled_dot_product", "matmul")
FORBIDDEN = ("softmax", "logsumexp", "scaled_dot_product", "backward", "autograd", "requires_grad", "vjp", "jacobian")


# What is right.


def through_softmax(p: Tensor, dp: Tensor) -> Tensor:
    """Each row of dP times the Jacobian diag(P) - P P^T, written as its two terms."""
    return p * dp - p * (p * dp).sum(dim=-1, keepdim=True)


def from_lse(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None, causal: bool = False
) -> Tensor:
    """exp(S - L), 0 where a score is masked."""
    s = reference.scores(q, k, causal, scale)
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return torch.where(torch.isneginf(s), 0, torch.exp(s - L[..., None]))


def through_scores(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    return p * (do @ v.T - (do * o).sum(dim=-1, keepdim=True))


def through_attention(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, L: Tensor, delta: Tensor, causal: bool = False,
    scale: float | None = None, **tiles: int | None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """dQ, dK, dV with whole matrices, any leading axes; tile sizes must not matter.

    Sums are taken in no less than float32; P, dS and the results are rounded to the inputs' dtype.
    """
    dtype, scale = q.dtype, q.shape[-1] ** -0.5 if scale is None else scale
    q, k, v, do = map(at_least_float32, (q, k, v, do))
    p = from_lse(q, k, L, scale=scale, causal=causal)
    ds = p * (do @ v.transpose(-1, -2) - delta[..., None])
    p, ds = (x.to(dtype).to(q.dtype) for x in (p, ds))
    dq, dk, dv = scale * (ds @ k), scale * (ds.transpose(-1, -2) @ q), p.transpose(-1, -2) @ do
    return dq.to(dtype), dk.to(dtype), dv.to(dtype)


def at_least_float32(x: Tensor) -> Tensor:
    return x.to(torch.promote_types(x.dtype, torch.float32))


def gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, **tiles: int,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """The same from o."""
    return through_attention(q, k, v, do, L, one_number_a_query(o, do), causal, scale)


def one_number_a_query(o: Tensor, do: Tensor, tile_m: int = 64) -> Tensor:
    """rowsum(dO * O), in no less than float32."""
    return (at_least_float32(o) * at_least_float32(do)).sum(dim=-1)


def to_keys_and_values(**given) -> tuple[Tensor, Tensor]:
    return through_attention(**given)[1:]


def to_queries(**given) -> Tensor:
    return through_attention(**given)[0]


def forward_and_backward(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False, scale: float | None = None, **tiles: int | None
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """O = softmax(S) V and dQ, dK, dV."""
    wide_o, L = reference.attention(at_least_float32(q), at_least_float32(k), at_least_float32(v), causal, scale)
    o = wide_o.to(q.dtype)
    return o, *through_attention(q, k, v, do, L, one_number_a_query(o, do), causal, scale)


# Inputs.


def wide(x: np.ndarray) -> Tensor:
    """The array as a float64 tensor."""
    return torch.from_numpy(x.astype(np.float64))


def rows(r: int, n: int, spread: float = 1.5, level: float = 0.0, empty: tuple[int, ...] = (), strided: bool = False):
    """Rows of probabilities, from logits of standard deviation `spread`, and their gradients around `level`."""

    def draw(rng: Generator) -> Arguments:
        p = torch.softmax(torch.from_numpy(spread * rng.standard_normal((r, n))), dim=-1).numpy()
        p[list(empty)] = 0
        dp = level + rng.standard_normal((r, n)) + rng.standard_normal((r, 1))
        given = {"p": p.astype(np.float32), "dp": dp.astype(np.float32)}
        return {name: swapped(x, 0, 1) for name, x in given.items()} if strided else given

    return draw


def head(n_q: int, n_k: int, d: int = 16, d_v: int = 8, level: Any = 0.0, strided: bool = False, **rest: Any):
    """One head after its forward pass: q, k, v, o, L, do, and what else is given in `rest`.

    The scores, at the scale 1/sqrt(d), are about 2 * N(0, 1) + level, `level` a number or one for each query.
    """

    def draw(rng: Generator) -> Arguments:
        q, k = on_grid(1.5 * rng.standard_normal((n_q, d))), on_grid(1.5 * rng.standard_normal((n_k, d)))
        if np.any(level):
            q[:, -1], k[:, -1] = level, d**0.5
        v = rng.standard_normal((n_k, d_v)) + np.linspace(-1, 1, n_k)[:, None]
        do = rng.standard_normal((n_q, d_v)) + 0.5
        return after_forward(q, k, v, do, np.float32, strided, **rest)

    return draw


def after_forward(q, k, v, do, dtype, strided: bool = False, **rest) -> Arguments:
    """The arguments of a backward pass; strided: every matrix is a view with its last two axes swapped in memory."""
    q, k, v, do = (x.astype(dtype) for x in (q, k, v, do))
    o, L = reference.attention(wide(q), wide(k), wide(v), rest.get("causal", False), rest.get("scale"))
    given = {"q": q, "k": k, "v": v, "o": o.numpy().astype(dtype), "L": L.numpy().astype(np.float32), "do": do}
    if strided:
        given = {n: x if n == "L" else swapped(x, -1, -2) for n, x in given.items()}
    return given | rest


def part_of_forward(n_q: int, n_k: int, first: int, stop: int, **rest: Any):
    """q, k, L and mask for the keys first .. stop - 1 of a head that has n_k of them."""
    causal = bool(rest.get("causal"))

    def draw(rng: Generator) -> Arguments:
        given = head(n_q, n_k, **rest)(rng)
        seen = reference.causal_mask(n_q, n_k).numpy()[:, first:stop]
        given |= {"k": given["k"][first:stop], "mask": seen if causal else None, "scale": rest.get("scale")}
        return {name: given[name] for name in ("q", "k", "L", "mask", "scale")}

    return draw


def slice_of_keys(n_q: int, n_k: int, first: int, stop: int, **rest: Any):
    """p, v, o, do for the keys first .. stop - 1 of a head that has n_k of them."""

    def draw(rng: Generator) -> Arguments:
        given = head(n_q, n_k, **rest)(rng)
        p = from_lse(wide(given["q"]), wide(given["k"]), wide(given["L"]), causal=rest.get("causal", False))
        part = p[:, first:stop].numpy().astype(np.float32)
        return {"p": part, "v": given["v"][first:stop], "o": given["o"], "do": given["do"]}

    return draw


def hidden_at_random(rng: Generator) -> Arguments:
    """A mask that hides half of the keys at random; L is that of the keys that are seen."""
    given = head(24, 19)(rng)
    mask = rng.random((24, 19)) < 0.5
    mask[:, 0] = True
    s = reference.scores(wide(given["q"]), wide(given["k"])).masked_fill(torch.from_numpy(~mask), float("-inf"))
    L = reference.log_sum_exp(s).numpy().astype(np.float32)
    return {"q": given["q"], "k": given["k"], "L": L, "mask": mask, "scale": None}


def heads(
    b: int, h: int, n_q: int, n_k: int, d: int, dtype=np.float32, level: Any = 0.0, strided: bool = False, **rest
):
    """The same for a batch of heads, q, k, v, o, do (B, H, N, d) and L (B, H, N_q), and delta.

    strided: in memory the tokens come before the heads.
    """

    def draw(rng: Generator) -> Arguments:
        q, k = (on_grid(1.5 * rng.standard_normal((b, h, n, d))) for n in (n_q, n_k))
        if np.any(level):
            q[..., -1], k[..., -1] = level, d**0.5
        v = rng.standard_normal((b, h, n_k, d)) + np.linspace(-1, 1, n_k)[:, None]
        do = rng.standard_normal((b, h, n_q, d)) + 0.5
        given = after_forward(q, k, v, do, dtype, **rest)
        delta = one_number_a_query(wide(given["o"]), wide(given["do"])).numpy()
        if strided:
            given |= {name: swapped(given[name], 1, 2) for name in ("q", "k", "v", "o", "do")}
        return given | {"delta": delta.astype(np.float32)}

    return draw


def only(draw, *names: str):
    """Of the arguments that `draw` makes those called `names`, in that order, where they are given."""

    def drawn(rng: Generator) -> Arguments:
        given = draw(rng)
        return {name: given[name] for name in names if name in given}

    return drawn


UP, DOWN = np.linspace(150, 250, 11), np.linspace(-150, -500, 11)

# The situations, in the same words for every exercise that has them.

CAUSAL = "causal, as many queries as keys"
CROSS = "causal, 5 queries at the end of 21 keys: query 0 already sees 17 of them"
UNSEEN = "causal, 9 queries and only 5 keys: the first 4 queries see none, their L is -inf"
SCALED = "the scale is given: 0.125, not 1/sqrt(16)"
LARGE = "scores from 150 to 250, where exp overflows"
SMALL = "scores from -500 to -150, where every exp is 0"
STRIDED = "every matrix is a transposed view"

SOFTMAX = [
    Case("plain", "two rows of 5 probabilities", rows(2, 5)),
    Case("single", "one row of one probability: it is 1, and its gradient goes nowhere", rows(1, 1), ("single",)),
    Case("many-rows", "33 rows of 20", rows(33, 20)),
    Case(
        "large-positive",
        "logits hundreds apart: one probability is 1, the rest are 0",
        rows(16, 20, spread=200),
        ("large positive",),
    ),
    Case(
        "constant-gradient",
        "a gradient of about 100 everywhere, which the softmax cannot feel",
        rows(16, 20, level=100),
    ),
    Case(
        "fully-masked",
        "rows 2 and 5 see no key: their probabilities are 0",
        rows(16, 20, empty=(2, 5)),
        ("masked row",),
    ),
    Case("strided", "p and dp are transposed views", rows(16, 20, strided=True), ("strided",)),
    Case("memory", "memory: 4 rows of 500", rows(4, 500), budget=True),
]

PROBABILITIES = [
    Case("plain", "six queries and all of their 8 keys", part_of_forward(6, 8, 0, 8, d=4)),
    Case("single", "one query, one key, d = 1", part_of_forward(1, 1, 0, 1, d=1), ("single",)),
    Case("middle-keys", "keys 8 to 15 of 24", part_of_forward(12, 24, 8, 16)),
    Case("ragged", "the last, ragged tile: keys 32 to 36 of 37", part_of_forward(12, 37, 32, 37), ("ragged",)),
    Case("causal", "keys 8 to 23 of 24, causal, as many queries", part_of_forward(24, 24, 8, 24, causal=True)),
    Case("cross", "keys 16 to 20 of 21, 5 queries, causal", part_of_forward(5, 21, 16, 21, causal=True), ("cross",)),
    Case("partly-masked", "half of the keys are masked at random", hidden_at_random),
    Case("fully-masked", UNSEEN, part_of_forward(9, 5, 0, 5, causal=True), ("masked row",)),
    Case("scaled", SCALED, part_of_forward(12, 24, 8, 16, scale=0.125)),
    Case("large-positive", LARGE, part_of_forward(11, 37, 0, 37, level=UP), ("large positive",)),
    Case("very-negative", SMALL, part_of_forward(11, 37, 0, 37, level=DOWN), ("very negative",)),
    Case("strided", "q and k are transposed views", part_of_forward(12, 24, 8, 16, strided=True), ("strided",)),
]

SCORES = [
    Case("plain", "six queries and all of their 8 keys", slice_of_keys(6, 8, 0, 8, d_v=4)),
    Case("single", "one query, one key, d_v = 1", slice_of_keys(1, 1, 0, 1, d=1, d_v=1), ("single",)),
    Case("middle-keys", "keys 8 to 15 of 24: the rows of p do not sum to 1", slice_of_keys(12, 24, 8, 16)),
    Case("square", "as many queries as keys as value columns, 8", slice_of_keys(8, 8, 0, 8, d_v=8)),
    Case("ragged", "the last, ragged tile: keys 32 to 36 of 37", slice_of_keys(12, 37, 32, 37), ("ragged",)),
    Case("cross", "causal, keys 16 to 20 of 21, 5 queries", slice_of_keys(5, 21, 16, 21, causal=True), ("cross",)),
    Case("fully-masked", UNSEEN, slice_of_keys(9, 5, 0, 5, causal=True), ("masked row",)),
    Case("strided", "every matrix is a transposed view", slice_of_keys(12, 24, 8, 16, strided=True), ("strided",)),
]

WHOLE = [
    Case("plain", "six queries and 8 keys", head(6, 8, 4, 6)),
    Case("single", "one query, one key, d = d_v = 1", head(1, 1, 1, 1), ("single",)),
    Case("square", "as many queries as keys, 12", head(12, 12)),
    Case("scaled", SCALED, head(11, 20, scale=0.125)),
    Case("causal", CAUSAL, head(20, 20, causal=True)),
    Case("cross", CROSS, head(5, 21, causal=True), ("cross",)),
    Case("fully-masked", UNSEEN, head(9, 5, causal=True), ("masked row",)),
    Case("large-positive", LARGE, head(11, 37, level=UP), ("large positive",)),
    Case("very-negative", SMALL, head(11, 37, level=DOWN), ("very negative",)),
    Case("strided", STRIDED, head(12, 20, strided=True), ("strided",)),
]

TILED_RAGGED = "ragged on both sides: 33 queries = 2 * 16 + 1, 25 keys = 2 * 12 + 1"
TILED_MEMORY = "memory: 300 queries, 280 keys, tiles of 32 x 16"
TILED_EDGE = "causal, 4 queries and 5 keys in tiles of 4 x 4: only query 3 sees key 4, with which a tile begins"

TILED = [
    Case("plain", "six queries and 8 keys in tiles of 2 x 4", head(6, 8, 4, 6, tile_m=2, tile_n=4)),
    Case("single", "one query, one key, tiles of 8 x 8", head(1, 1, 1, 1, tile_m=8, tile_n=8), ("single",)),
    Case("square", "24 queries, 24 keys, tiles of 8 x 8", head(24, 24, tile_m=8, tile_n=8)),
    Case("ragged", TILED_RAGGED, head(33, 25, tile_m=16, tile_n=12), ("ragged",)),
    Case("scaled", SCALED, head(11, 20, scale=0.125, tile_m=4, tile_n=8)),
    Case("causal", "causal, 40 queries and keys in tiles of 16 x 8", head(40, 40, causal=True, tile_m=16, tile_n=8)),
    Case("edge-key", TILED_EDGE, head(4, 5, causal=True, tile_m=4, tile_n=4)),
    Case("cross", CROSS, head(5, 21, causal=True, tile_m=4, tile_n=8), ("cross",)),
    Case("fully-masked", UNSEEN, head(9, 5, causal=True, tile_m=2, tile_n=2), ("masked row",)),
    Case("large-positive", LARGE, head(11, 37, level=UP, tile_m=4, tile_n=8), ("large positive",)),
    Case("very-negative", SMALL, head(11, 37, level=DOWN, tile_m=4, tile_n=8), ("very negative",)),
    Case("strided", STRIDED, head(12, 20, strided=True, tile_m=8, tile_n=8), ("strided",)),
    Case("memory", TILED_MEMORY, head(300, 280, 4, 4, causal=True, tile_m=32, tile_n=16), budget=True),
]


T_STRIDED = "the tokens come before the heads in memory"
DELTA_HALF = "float16: the products are summed in float32"
DELTA_RAGGED = "the last tile is ragged: 37 = 16 + 16 + 5 queries, two batches of three heads, d = 32"
O_AND_DO = ("o", "do", "tile_m")
DELTA = [
    Case("plain", "one head, 16 queries, d = 16, one tile", only(heads(1, 1, 16, 16, 16, tile_m=16), *O_AND_DO)),
    Case("single", "one query", only(heads(1, 1, 1, 1, 16, tile_m=16), *O_AND_DO), ("single",)),
    Case("ragged", DELTA_RAGGED, only(heads(2, 3, 37, 20, 32, tile_m=16), *O_AND_DO), ("ragged",)),
    Case("float16", DELTA_HALF, only(heads(1, 2, 40, 40, 64, np.float16, tile_m=32), *O_AND_DO)),
    Case(
        "fully-masked",
        "causal, 40 queries and 24 keys: the first 16 queries see none, their o is 0",
        only(heads(1, 2, 40, 24, 16, causal=True), *O_AND_DO),
        ("masked row",),
    ),
    Case("strided", T_STRIDED, only(heads(2, 3, 37, 20, 16, strided=True, tile_m=16), *O_AND_DO), ("strided",)),
    Case(
        "traffic",
        "traffic: 100 queries in tiles of 32",
        only(heads(1, 2, 100, 16, 32, tile_m=32), *O_AND_DO),
        budget=True,
    ),
]

T_RAGGED = "ragged on both sides: 37 = 16 + 16 + 5 queries, 53 = 32 + 21 keys"
T_TALL = "tiles of 32 x 16: taller than wide, and the last of either side holds one query, one key"
T_CROSS = "causal, 20 queries at the end of 85 keys: query 0 already sees 66 of them"
T_EDGE = "causal, 16 queries and 17 keys: only the last query sees key 16, with which a tile of keys begins"
T_CORNER = "causal, 33 queries and 31 keys: query 16, with which a tile begins, sees all of keys 0 to 15 but the last"
T_UNSEEN = "causal, 37 queries and only 11 keys: the first 26 queries see none, their L is -inf"
T_LARGE = "scores from 150 to 250, where exp overflows"
T_SMALL = "scores from -500 to -150, where exp(-L) overflows"
T_HALF = "float16, d = 32: ten tiles of 16 are added to each sum"
T_TRAFFIC = "traffic: causal, 64 queries, 80 keys, tiles of 16 x 32"
T_UP, T_DOWN = np.linspace(150, 250, 21), np.linspace(-150, -500, 21)


SETTINGS = ("causal", "scale", "tile_m", "tile_n")
GIVEN = ("q", "k", "v", "do", "L", "delta", *SETTINGS)


def tiled(*names: str, by_keys: bool = False) -> list[Case]:
    """The situations of a backward pass in Triton, with the arguments `names`; by_keys: the outputs have keys' rows."""

    def case(
        key: str, name: str, *shape, regimes: tuple[str, ...] = (), budget: bool = False, m=16, n=32, **rest
    ) -> Case:
        draw = only(heads(*shape, tile_m=m, tile_n=n, **rest), *names)
        return Case(key, name, draw, regimes, tile=(n if by_keys else m, shape[4]), budget=budget)

    return [
        case("plain", "one head, 32 queries and keys, d = 16, tiles of 16 x 16", 1, 1, 32, 32, 16, n=16),
        case("single", "one query, one key", 1, 1, 1, 1, 16, n=16, regimes=("single",)),
        case("ragged", T_RAGGED, 1, 2, 37, 53, 16, regimes=("ragged",)),
        case("tall-tiles", T_TALL, 1, 1, 33, 33, 16, m=32, n=16),
        case("scaled", SCALED, 1, 1, 32, 48, 16, scale=0.125),
        case("causal", "causal, 64 queries and keys in tiles of 16 x 32", 1, 1, 64, 64, 16, causal=True),
        case("cross", T_CROSS, 1, 1, 20, 85, 16, causal=True, regimes=("cross",)),
        case("edge-key", T_EDGE, 1, 1, 16, 17, 16, n=16, causal=True),
        case("edge-query", T_CORNER, 1, 1, 33, 31, 16, n=16, causal=True),
        case("fully-masked", T_UNSEEN, 1, 1, 37, 11, 16, n=16, causal=True, regimes=("masked row",)),
        case("large-positive", T_LARGE, 1, 1, 21, 37, 16, level=T_UP, regimes=("large positive",)),
        case("very-negative", T_SMALL, 1, 1, 21, 37, 16, level=T_DOWN, regimes=("very negative",)),
        case("float16", T_HALF, 1, 1, *((160, 32) if by_keys else (32, 160)), 32, np.float16, n=16),
        case("strided", T_STRIDED, 2, 3, 20, 24, 16, strided=True, regimes=("strided",)),
        case("traffic", T_TRAFFIC, 1, 2, 64, 80, 16, causal=True, budget=True),
    ]


BY_KEYS, BY_QUERIES = tiled(*GIVEN, by_keys=True), tiled(*GIVEN)
OF_ONE_KERNEL = ("tall-tiles", "edge-key", "edge-query")  # where its loop begins and ends
TOGETHER = [c for c in tiled("q", "k", "v", "o", "L", "do", *SETTINGS) if c.key not in OF_ONE_KERNEL]
OPERATOR = [c for c in tiled("q", "k", "v", "do", *SETTINGS) if c.key not in OF_ONE_KERNEL]


def on_gpu(*names: str):
    """Arguments of the size of a real problem, for the compiler: float16, d = 64, the tiles that are the default."""
    return only(heads(1, 2, 256, 256, 64, np.float16, causal=True), *names)


def no_jacobian(a: Arguments) -> int:
    return 5 * a["p"].nbytes


def gradients_and_tiles(a: Arguments) -> int:
    """The gradients, and ten matrices as large as one tile's P, q and o, k and v together."""
    (n_q, d), (n_k, d_v), m, n = a["q"].shape, a["v"].shape, a["tile_m"], a["tile_n"]
    return 4 * (n_q * d + n_k * (d + d_v) + 10 * (m * n + (m + n) * (d + d_v)))


def delta_loads(a: Arguments) -> int:
    return 2 * a["o"].nbytes


def delta_stores(a: Arguments) -> int:
    return 4 * a["o"][..., 0].size


def moved(a: Arguments, rows: int, visits: int) -> int:
    """Bytes of all heads: `rows` rows of two matrices, once, and `visits` rows of the other two, L and delta apart."""
    batch, heads, _, d = a["q"].shape
    return batch * heads * 2 * d * a["q"].itemsize * (rows + visits)


def key_value_loads(a: Arguments) -> int:
    """k and v once; q, do, L and delta for each tile of keys, from the first tile of queries that sees one of them."""
    (batch, heads, n_q, _), n_k, tile_m = a["q"].shape, a["k"].shape[2], a["tile_m"]
    begins = [max(first + n_q - n_k, 0) // tile_m * tile_m for first in range(0, n_k, a["tile_n"])]
    visits = sum(n_q - min(begin, n_q) for begin in begins)
    return moved(a, n_k, visits) + batch * heads * visits * 2 * 4


def key_value_stores(a: Arguments) -> int:
    return a["k"].nbytes + a["v"].nbytes


def query_loads(a: Arguments) -> int:
    """q, do, L and delta once; k and v for each tile of queries, up to the last tile of keys that one of them sees."""
    (batch, heads, n_q, _), n_k, tile_n = a["q"].shape, a["k"].shape[2], a["tile_n"]
    seen = [max(first + a["tile_m"] + n_k - n_q, 0) for first in range(0, n_q, a["tile_m"])]
    visits = sum(min(-(-any_sees // tile_n) * tile_n, n_k) for any_sees in seen)
    return moved(a, n_q, visits) + batch * heads * n_q * 2 * 4


def query_stores(a: Arguments) -> int:
    return a["q"].nbytes


def all_loads(a: Arguments) -> int:
    return delta_loads(a) + key_value_loads(a) + query_loads(a)


def all_stores(a: Arguments) -> int:
    return delta_stores(a) + key_value_stores(a) + query_stores(a)


def linear_memory(a: Arguments) -> int:
    """o and the three gradients, and L and delta for each query."""
    return 2 * a["q"].nbytes + a["k"].nbytes + a["v"].nbytes + 2 * 4 * a["q"][..., 0].size


GRADIENT_OUTPUTS = (Output("dQ"), Output("dK"), Output("dV"))


def products(q: str = "q", k: str = "k", do: str = "do") -> list[Mutant]:
    """Mistakes in the three products that both `attention_gradients` and its tiled form invite.

    q, k, do: the operands as they stand in the source.
    """
    return [
        Mutant("dQ is not multiplied by the scale", f"scale * (ds @ {k})", f"(ds @ {k})", "plain"),
        Mutant("dK is not multiplied by the scale", f"scale * (ds.T @ {q})", f"(ds.T @ {q})", "plain"),
        Mutant(
            "neither dQ nor dK is multiplied by the scale",
            "    ds = score_gradients(p, v",
            "    ds = score_gradients(p / scale, v",
            "plain",
        ),
        Mutant(
            "the scale is applied to dS and to the products once more",
            "    ds = score_gradients(p, v",
            "    ds = score_gradients(p * scale, v",
            "plain",
        ),
        Mutant(
            "dK is made of dS instead of its transpose",
            f"scale * (ds.T @ {q})",
            f"scale * (ds @ {q})",
            "square",
            hint=3,
        ),
        Mutant(
            "dQ is made of the transpose of dS instead of dS itself",
            f"scale * (ds @ {k})",
            f"scale * (ds.T @ {k})",
            "square",
            hint=3,
        ),
        Mutant("dV is made of P instead of its transpose", f"p.T @ {do}", f"p @ {do}", "square", hint=3),
        Mutant("dV is made of dS instead of P", f"p.T @ {do}", f"ds.T @ {do}", "plain", hint=1),
        Mutant("dK is made of P instead of dS", f"scale * (ds.T @ {q})", f"scale * (p.T @ {q})", "plain", hint=1),
        Mutant("dQ is made of P instead of dS", f"scale * (ds @ {k})", f"scale * (p @ {k})", "plain", hint=1),
        Mutant("the scale that is given is not handed on to the probabilities", "mask, scale)", "mask)", "scaled"),
    ]


EXERCISES = [
    Exercise(
        function=flash_backward.softmax_backward,
        oracle=through_softmax,
        outputs=(Output("dS"),),
        backend="torch",
        points=1,
        tolerance=GRADIENTS,
        forbidden=FORBIDDEN,
        cases=SOFTMAX,
        without=NO_MAX
        | {
            "ragged": "there are no tiles yet",
            "very negative": "probabilities are given, no logits",
            "cross": "probabilities are given; a mask is zeros in them",
            "grouped": "there are no heads here",
        },
        budget=Budget(memory=no_jacobian, memory_is="five times the bytes of p: no Jacobian"),
        mutants=[
            Mutant(
                "the row sum is missing: only the diagonal's first part of the Jacobian is left",
                old="(dp - (p * dp).sum(dim=-1, keepdim=True))",
                new="dp",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "only the diagonal of the Jacobian is used, as if the softmax were a sigmoid",
                old="(dp - (p * dp).sum(dim=-1, keepdim=True))",
                new="(1 - p) * dp",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the row sum is not weighted by the probabilities",
                old="(p * dp).sum",
                new="dp.sum",
                killed_by="plain",
            ),
            Mutant(
                "the row mean is subtracted instead of the weighted row sum",
                old="(p * dp).sum",
                new="dp.mean",
                killed_by="plain",
            ),
            Mutant(
                "the row sum is subtracted without the factor P in front of it",
                old="p * (dp - (p * dp).sum(dim=-1, keepdim=True))",
                new="p * dp - (p * dp).sum(dim=-1, keepdim=True)",
                killed_by="plain",
            ),
            Mutant(
                "the factor P in front is missing",
                old="return p * (",
                new="return (",
                killed_by="plain",
            ),
            Mutant(
                "the sum runs along the columns instead of along each row",
                old="dim=-1",
                new="dim=0",
                killed_by="plain",
            ),
            Mutant(
                "one sum is taken over all rows together",
                old=".sum(dim=-1, keepdim=True)",
                new=".sum()",
                killed_by="plain",
            ),
            Mutant(
                "the sign is wrong: the row sum minus dP",
                old="return p * (",
                new="return -p * (",
                killed_by="plain",
            ),
            Mutant(
                "the Jacobian of every row is made",
                old="return p * (dp - (p * dp).sum(dim=-1, keepdim=True))",
                new="J = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]\n"
                "    return (J * dp[:, None, :]).sum(dim=-1)",
                killed_by="memory",
                hint=2,
            ),
        ],
        hints=[
            "Raise one logit: its own probability grows, and all the others of the row shrink to make room. So every "
            "entry of dP reaches every entry of dS, but through one single number a row.",
            "The Jacobian is diag(P) - P P^T. Multiply it with dP from the right, P^T dP first: that is one number "
            "a row. Keep its axis (`keepdim=True`), so that it can be subtracted from every entry of the row.",
            "P = [0.5, 0.25, 0.25], dP = [2, 0, 4]: the weighted sum is 1 + 0 + 1 = 2; dP minus it is [0, -2, 2]; "
            "times P: dS = [0, -0.5, 0.5]. The entries of dS always sum to 0.",
        ],
    ),
    Exercise(
        function=flash_backward.recompute_probabilities,
        oracle=from_lse,
        outputs=(Output("P"),),
        backend="torch",
        points=1,
        forbidden=FORBIDDEN,
        cases=PROBABILITIES,
        without=ONE_HEAD | NO_MAX,
        mutants=[
            Mutant(
                "the probabilities are normalised over the keys at hand instead of with L",
                old="p = torch.exp(scale * (q @ k.T) - L[:, None])\n",
                new="p = torch.exp(scale * (q @ k.T) - L[:, None])\n"
                "    p = p if mask is None else p.masked_fill(~mask, 0)\n"
                "    p = p / p.sum(dim=-1, keepdim=True).clamp(min=1e-30)\n",
                killed_by="middle-keys",
                hint=1,
            ),
            Mutant("L is not subtracted", old=" - L[:, None]", new="", killed_by="plain"),
            Mutant(
                "L is used as a denominator: exp(S) / L",
                old="torch.exp(scale * (q @ k.T) - L[:, None])",
                new="torch.exp(scale * (q @ k.T)) / L[:, None]",
                killed_by="plain",
            ),
            Mutant(
                "exp(S) is divided by exp(L), and both overflow or underflow",
                old="torch.exp(scale * (q @ k.T) - L[:, None])",
                new="torch.exp(scale * (q @ k.T)) / torch.exp(L[:, None])",
                killed_by="large-positive",
            ),
            Mutant(
                "the power is taken to base 2, but L is a natural logarithm",
                old="torch.exp(scale",
                new="torch.exp2(scale",
                killed_by="plain",
            ),
            Mutant("the scores are not scaled", old="scale * (q @ k.T)", new="(q @ k.T)", killed_by="plain"),
            Mutant(
                "the scores are scaled twice",
                old="scale * (q @ k.T)",
                new="scale * scale * (q @ k.T)",
                killed_by="plain",
            ),
            Mutant(
                "L is scaled with the scores, though the scale is already in it",
                old="scale * (q @ k.T) - L[:, None]",
                new="scale * (q @ k.T - L[:, None])",
                killed_by="plain",
            ),
            Mutant(
                "the scale that is given is ignored",
                old="if scale is None else scale",
                new="",
                killed_by="scaled",
            ),
            Mutant("the mask is ignored", old="p if mask is None else p", new="p if True else p", killed_by="causal"),
            Mutant(
                "the mask is read the wrong way round: True means that a query may see the key",
                old="~mask",
                new="mask",
                killed_by="causal",
            ),
            Mutant(
                "a query that sees no key computes -inf - (-inf), which is NaN",
                old="    p = torch.exp(scale * (q @ k.T) - L[:, None])\n"
                "    return p if mask is None else p.masked_fill(~mask, 0)",
                new="    s = scale * (q @ k.T)\n"
                "    s = s if mask is None else s.masked_fill(~mask, -torch.inf)\n"
                "    return torch.exp(s - L[:, None])",
                killed_by="fully-masked",
                hint=3,
            ),
        ],
        hints=[
            "The forward pass forgot the matrix but kept one number a query, L, and every entry of P needs nothing "
            "else: not the maximum, not the other keys.",
            "The invariant: P_ij = exp(S_ij - L_i), the same number whether the key comes alone or with all others. "
            "L belongs to the query, so it is a column: `L[:, None]`. Put the zeros of the mask in after the exp.",
            "One query with scores [ln 1, ln 3] has L = ln 4: P = [1/4, 3/4]. Asked for the second key alone it is "
            "exp(ln 3 - ln 4) = 3/4 again, not 1. A query that sees nothing has L = -inf; S - L is +inf and exp(inf) = "
            "inf, but every one of its entries is masked and becomes 0.",
        ],
    ),
    Exercise(
        function=flash_backward.score_gradients,
        oracle=through_scores,
        outputs=(Output("dS"),),
        backend="torch",
        points=2,
        tolerance=GRADIENTS,
        forbidden=FORBIDDEN,
        cases=SCORES,
        without=ONE_HEAD
        | NO_MAX
        | {
            "large positive": "probabilities are given, no logits",
            "very negative": "probabilities are given, no logits",
        },
        mutants=[
            Mutant(
                "delta is summed over the keys at hand, P * dP, instead of taken from the output",
                old="(do * o).sum(dim=-1, keepdim=True)",
                new="(p * dp).sum(dim=-1, keepdim=True)",
                killed_by="middle-keys",
                hint=1,
            ),
            Mutant("delta is missing", old="(dp - delta)", new="dp", killed_by="plain"),
            Mutant("dS is not multiplied by P", old="p * (dp - delta)", new="dp - delta", killed_by="plain"),
            Mutant(
                "delta is subtracted without the factor P",
                old="p * (dp - delta)",
                new="p * dp - delta",
                killed_by="plain",
            ),
            Mutant("delta is added", old="dp - delta", new="dp + delta", killed_by="plain"),
            Mutant("delta is a mean instead of a sum", old="(do * o).sum", new="(do * o).mean", killed_by="plain"),
            Mutant(
                "delta is one number for all queries",
                old=".sum(dim=-1, keepdim=True)",
                new=".sum()",
                killed_by="plain",
            ),
            Mutant(
                "delta is the row sum of dO, without O",
                old="(do * o).sum",
                new="do.sum",
                killed_by="plain",
            ),
            Mutant(
                "dP is made of V instead of its transpose",
                old="do @ v.T",
                new="do @ v",
                killed_by="square",
                hint=3,
            ),
            Mutant("dP is made of O instead of dO", old="do @ v.T", new="o @ v.T", killed_by="plain"),
            Mutant(
                "delta belongs to the keys: it is subtracted as a row instead of as a column",
                old="(dp - delta)",
                new="(dp - delta.T)",
                killed_by="square",
            ),
        ],
        hints=[
            "softmax_backward needs the sum of P * dP over all keys, and here there are only some. But that sum is "
            "known without any key: it equals the sum of dO * O over the d_v columns of the output.",
            "dP (M, N) is a product of do (M, d_v) and v (N, d_v): one of them has to be transposed. delta (M, 1) is "
            "one number a query, from o and do alone. The factor P multiplies the difference, not dP alone.",
            "One query, two keys, P = [1/4, 3/4], values [4, 8], so O = 7; dO = 2. dP = [8, 16], delta = 2 * 7 = 14 "
            "(and 8/4 + 16 * 3/4 = 14 as well). dS = [1/4 * (8 - 14), 3/4 * (16 - 14)] = [-1.5, 1.5]. For the second "
            "key alone the answer is [1.5].",
        ],
    ),
    Exercise(
        function=flash_backward.attention_gradients,
        oracle=gradients,
        outputs=GRADIENT_OUTPUTS,
        backend="torch",
        points=2,
        tolerance=GRADIENTS,
        forbidden=FORBIDDEN,
        cases=WHOLE,
        without=ONE_HEAD | NO_MAX | {"ragged": "there are no tiles yet"},
        mutants=[
            *products(),
            Mutant(
                "the mask is not handed on to the probabilities",
                old="L, mask, scale)",
                new="L, None, scale)",
                killed_by="causal",
            ),
        ],
        hints=[
            "P and dS are the two N_q x N_k matrices of the forward and the backward pass. dV needs the first, dQ and "
            "dK the second.",
            "Shapes lead the way: dV (N_k, d_v) is made of P (N_q, N_k) and dO (N_q, d_v); dQ (N_q, d) of dS and K; dK "
            "(N_k, d) of dS and Q. Where a sum runs over the queries, the first matrix is transposed. The scale "
            "multiplies q k^T in the forward pass, so it multiplies dQ and dK, each once, and dV not at all.",
            "One query q = 1, keys [0, ln 3], values [4, 8], scale 1, dO = 2: P = [1/4, 3/4], dS = [-1.5, 1.5]. dV = P "
            "* 2 = [0.5, 1.5]; dQ = -1.5 * 0 + 1.5 * ln 3 = 1.648; dK = dS * 1 = [-1.5, 1.5].",
        ],
    ),
    Exercise(
        function=flash_backward.attention_gradients_tiled,
        oracle=gradients,
        outputs=GRADIENT_OUTPUTS,
        backend="torch",
        points=3,
        tolerance=GRADIENTS,
        forbidden=FORBIDDEN,
        cases=TILED,
        without=ONE_HEAD | NO_MAX,
        budget=Budget(
            memory=gradients_and_tiles,
            memory_is="the three gradients and ten times what one tile needs of P, q, k, v and o",
        ),
        mutants=[
            *products("q[queries]", "k[keys]", "do[queries]"),
            Mutant(
                "every key tile overwrites dQ instead of adding to it",
                old="dq[queries] +=",
                new="dq[queries] =",
                killed_by="plain",
            ),
            Mutant(
                "every query tile overwrites dK instead of adding to it",
                old="dk[keys] +=",
                new="dk[keys] =",
                killed_by="plain",
            ),
            Mutant(
                "every query tile overwrites dV instead of adding to it",
                old="dv[keys] +=",
                new="dv[keys] =",
                killed_by="plain",
            ),
            Mutant(
                "the probabilities of a tile are divided by their own sum",
                old="L[queries], mask, scale)\n",
                new="L[queries], mask, scale)\n            p = p / p.sum(dim=-1, keepdim=True).clamp(min=1e-30)\n",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the last, ragged tile of keys is dropped",
                old="range(0, n_k, tile_n)",
                new="range(0, n_k - tile_n + 1, tile_n)",
                killed_by="ragged",
            ),
            Mutant(
                "the last, ragged tile of queries is dropped",
                old="range(0, n_q, tile_m)",
                new="range(0, n_q - tile_m + 1, tile_m)",
                killed_by="ragged",
            ),
            Mutant(
                "the last key is not visited where it has a tile to itself",
                old="range(0, n_k, tile_n)",
                new="range(0, n_k - 1, tile_n)",
                killed_by="ragged",
            ),
            Mutant(
                "the last query is not visited where it has a tile to itself",
                old="range(0, n_q, tile_m)",
                new="range(0, n_q - 1, tile_m)",
                killed_by="ragged",
            ),
            Mutant("causal is ignored", old="if causal:", new="if False:", killed_by="causal"),
            Mutant(
                "the causal mask is aligned top-left: the offset N_k - N_q is missing",
                old=" + n_k - n_q",
                new="",
                killed_by="cross",
            ),
            Mutant(
                "the causal mask hides every query's own key: it is off by one",
                old="<= last_seen",
                new="< last_seen",
                killed_by="causal",
            ),
            Mutant(
                "the causal mask counts the queries of every tile from 0",
                old="torch.arange(i, queries.stop)",
                new="torch.arange(queries.stop - i)",
                killed_by="causal",
            ),
            Mutant(
                "the causal mask counts the keys of every tile from 0",
                old="torch.arange(j, keys.stop)",
                new="torch.arange(keys.stop - j)",
                killed_by="causal",
            ),
            Mutant(
                "the tiles on the diagonal are skipped: only key tiles wholly before a query tile count",
                old="            mask = None\n",
                new="            if causal and keys.stop - 1 > i + n_k - n_q:\n                continue\n"
                "            mask = None\n",
                killed_by="causal",
            ),
            Mutant(
                "a tile is skipped as wholly hidden although its last query sees its first key: it is off by one",
                old="            mask = None\n",
                new="            if causal and j >= i + tile_m - 1 + n_k - n_q:\n                continue\n"
                "            mask = None\n",
                killed_by="edge-key",
            ),
            Mutant(
                "the probabilities of all keys are made at once",
                old="recompute_probabilities(q[queries], k[keys], L[queries], mask, scale)",
                new="recompute_probabilities(q, k, L, None, scale)[queries, keys] * (1 if mask is None else mask)",
                killed_by="memory",
                hint=1,
            ),
        ],
        hints=[
            "Nothing new is computed: a tile's P and dS are those of the last exercise, for some queries and some "
            "keys. What is new is that three sums are taken piece by piece.",
            "Every pair of a query tile and a key tile adds to three places: dV and dK at the keys, dQ at the queries. "
            "All three start at 0 and are added to (`+=`). L, o and do are cut with the queries, k and v with the "
            "keys; the mask compares true numbers, queries i, i + 1, ... and keys j, j + 1, ...",
            "N_q = 3, N_k = 5, tiles of 2 x 2: queries 0-1 and 2, keys 0-1, 2-3 and 4, six pairs. dQ of query 2 is a "
            "sum of three pieces, one for each key tile; dK of key 4 a sum of two. Causal, query 0 sees keys up to "
            "0 + 5 - 3 = 2: in the pair (queries 0-1, keys 2-3) the mask is [[True, False], [True, True]].",
        ],
    ),
    Exercise(
        function=flash_backward.row_delta,
        kernels=(flash_backward.row_delta_kernel,),
        oracle=one_number_a_query,
        outputs=(Output("delta", dtype="float32"),),
        backend="triton",
        points=1,
        tolerance=GRADIENTS,
        forbidden=KERNEL_FORBIDDEN,
        allowed=("clone",),
        compiled=on_gpu("o", "do"),
        cases=DELTA,
        without=HEADS
        | NO_MAX
        | {
            "large positive": "there are no logits here",
            "very negative": "there are no logits here",
            "cross": "keys play no part in it",
        },
        budget=Budget(
            loads=delta_loads,
            stores=delta_stores,
            traffic_is="o and do once, delta once",
            memory=delta_stores,
            memory_is="delta itself",
        ),
        mutants=[
            Mutant(
                "the products are summed in 16 bits instead of in float32",
                old="    o = o_desc.load([b, h, first, 0]).reshape(TILE_M, D).to(tl.float32)\n"
                "    do = do_desc.load([b, h, first, 0]).reshape(TILE_M, D).to(tl.float32)",
                new="    o = o_desc.load([b, h, first, 0]).reshape(TILE_M, D)\n"
                "    do = do_desc.load([b, h, first, 0]).reshape(TILE_M, D)",
                killed_by="float16",
            ),
            Mutant(
                "the mean is taken instead of the sum", "tl.sum(o * do, axis=1)", "tl.sum(o * do, axis=1) / D", "plain"
            ),
            Mutant("o is multiplied by itself instead of by do", "tl.sum(o * do", "tl.sum(o * o", "plain"),
            Mutant("do is multiplied by itself instead of by o", "tl.sum(o * do", "tl.sum(do * do", "plain"),
            Mutant("o is left out: do alone is summed", "tl.sum(o * do", "tl.sum(do", "plain"),
            Mutant(
                "the sum runs along the queries instead of along the columns of the output",
                old="axis=1",
                new="axis=0",
                killed_by="plain",
                hint=3,
            ),
            Mutant(
                "the rows are summed apart and the two sums multiplied",
                old="tl.sum(o * do, axis=1)",
                new="tl.sum(o, axis=1) * tl.sum(do, axis=1)",
                killed_by="plain",
                hint=3,
            ),
            Mutant(
                "the last, ragged tile of queries is not written",
                old="mask=rows < n_q",
                new="mask=(rows < n_q) & (first + TILE_M <= n_q)",
                killed_by="ragged",
            ),
        ],
        hints=[
            "One number a query: the inner product of its row of o with its row of do. A program has TILE_M such rows "
            "in its hands and needs nothing else.",
            "Load the same tile of both, (TILE_M, D), bring both to float32 before you multiply, and sum along the "
            "columns, axis 1. `at` says where the tile's numbers belong; rows past the last query must not be written.",
            "o = [[1, 2], [3, 4]], do = [[1, 0], [1, -1]]: delta = [1 * 1 + 2 * 0, 3 * 1 - 4 * 1] = [1, -1].",
        ],
    ),
    Exercise(
        function=flash_backward.key_value_gradients,
        kernels=(flash_backward.visit_queries, flash_backward.key_value_gradients_kernel),
        oracle=to_keys_and_values,
        outputs=(Output("dK"), Output("dV")),
        backend="triton",
        points=4,
        tolerance=GRADIENTS,
        forbidden=KERNEL_FORBIDDEN,
        allowed=("clone",),
        compiled=on_gpu(*GIVEN),
        cases=BY_KEYS,
        without=HEADS | NO_MAX,
        budget=Budget(
            loads=key_value_loads,
            stores=key_value_stores,
            traffic_is="k and v once; q, do, L and delta for each tile of keys, from its first query on",
            memory=key_value_stores,
            memory_is="dk and dv themselves",
        ),
        mutants=[
            Mutant("delta is missing", "(dp_t - delta[None, :])", "dp_t", "plain"),
            Mutant("dS is not multiplied by P", "p_t * (dp_t - delta[None, :])", "dp_t - delta[None, :]", "plain"),
            Mutant("delta is added", "dp_t - delta[None, :]", "dp_t + delta[None, :]", "plain"),
            Mutant("dK is made of P instead of dS", "ds_t.to(q.dtype)", "p_t.to(q.dtype)", "plain", hint=1),
            Mutant(
                "dV is made of dS instead of P",
                old="        dv = tl.dot(p_t.to",
                new="        delta = tl.load(delta_ptr + queries, mask=queries < n_q, other=0.0)\n"
                "        dp_t = tl.dot(v, do.T, input_precision='ieee')\n"
                "        dv = tl.dot((p_t * (dp_t - delta[None, :])).to",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the scores stand upright, q k^T, and P is used where P^T belongs",
                old="tl.dot(k, q.T,",
                new="tl.dot(q, k.T,",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "dP stands upright, do v^T, instead of on its side",
                old="tl.dot(v, do.T,",
                new="tl.dot(do, v.T,",
                killed_by="plain",
                hint=1,
            ),
            Mutant("do is not transposed in dP", "tl.dot(v, do.T,", "tl.dot(v, do,", "plain", hint=1),
            Mutant(
                "L is spread along the keys instead of along the queries",
                old="1.4426950408889634)[None, :])",
                new="1.4426950408889634)[:, None])",
                killed_by="plain",
            ),
            Mutant(
                "delta is spread along the keys instead of along the queries",
                "delta[None, :]",
                "delta[:, None]",
                "plain",
            ),
            Mutant("L is not subtracted", " - (L * 1.4426950408889634)[None, :])", ")", "plain"),
            Mutant(
                "L is subtracted as a natural logarithm from exponents to base 2",
                old="(L * 1.4426950408889634)[None, :]",
                new="L[None, :]",
                killed_by="plain",
                hint=3,
            ),
            Mutant(
                "exp is taken of exponents to base 2",
                old="tl.exp2(s_t",
                new="tl.exp(s_t",
                killed_by="plain",
                hint=3,
            ),
            Mutant("the scores are not scaled", "s_t * scale_2", "s_t * 1.4426950408889634", "plain"),
            Mutant(
                "dS is multiplied by the scale too, so that dK gets it twice",
                old="p_t * (dp_t",
                new="scale_2 * p_t * (dp_t",
                killed_by="plain",
            ),
            Mutant(
                "P is divided by its sum over the tile of queries",
                old="        dv = tl.dot(p_t",
                new="        p_t = p_t / tl.sum(p_t, axis=1)[:, None]\n        dv = tl.dot(p_t",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "every tile of queries overwrites dV instead of adding to it",
                old="do, dv, input",
                new="do, input",
                killed_by="plain",
            ),
            Mutant(
                "every tile of queries overwrites dK instead of adding to it",
                old="q, dk, input",
                new="q, input",
                killed_by="plain",
            ),
            Mutant(
                "the causal mask is not applied to P made again",
                old="tl.where(keys[:, None] <= queries[None, :] + (n_k - n_q), p_t, 0.0)",
                new="p_t",
                killed_by="causal",
            ),
            Mutant(
                "the causal mask hides every query's own key: it is off by one",
                old="keys[:, None] <= queries",
                new="keys[:, None] < queries",
                killed_by="causal",
            ),
            Mutant(
                "the causal mask is aligned top-left: N_k - N_q is missing in it",
                old="queries[None, :] + (n_k - n_q)",
                new="queries[None, :]",
                killed_by="cross",
            ),
            Mutant(
                "the mask puts -inf into the scores, and where L is -inf too their difference is NaN",
                old="        p_t = tl.exp2(s_t * scale_2 - (L * 1.4426950408889634)[None, :])  # L log2(e)\n"
                "        if MASKED:\n"
                "            p_t = tl.where(keys[:, None] <= queries[None, :] + (n_k - n_q), p_t, 0.0)",
                new="        if MASKED:\n"
                '            s_t = tl.where(keys[:, None] <= queries[None, :] + n_k - n_q, s_t, float("-inf"))\n'
                "        p_t = tl.exp2(s_t * scale_2 - (L * 1.4426950408889634)[None, :])",
                killed_by="fully-masked",
                hint=3,
            ),
            Mutant(
                "the tiles on the diagonal are skipped",
                old="begin = sees_one // TILE_M * TILE_M",
                new="begin = tl.cdiv(sees_all, TILE_M) * TILE_M",
                killed_by="causal",
            ),
            Mutant(
                "the last tile on the diagonal goes without the mask",
                old="whole = tl.cdiv(sees_all, TILE_M) * TILE_M",
                new="whole = sees_all // TILE_M * TILE_M",
                killed_by="causal",
            ),
            Mutant(
                "the first query that sees a tile is counted top-left: N_q - N_k is missing",
                old="tl.maximum(first + n_q - n_k, 0)",
                new="first",
                killed_by="cross",
            ),
            Mutant(
                "the loop begins one query after the first that sees a key of the tile",
                old="tl.maximum(first + n_q - n_k, 0)",
                new="tl.maximum(first + 1 + n_q - n_k, 0)",
                killed_by="edge-key",
            ),
            Mutant(
                "the tile of queries that holds the first one to see a key is skipped: begin is rounded up",
                old="begin = sees_one // TILE_M * TILE_M",
                new="begin = tl.cdiv(sees_one, TILE_M) * TILE_M",
                killed_by="edge-key",
            ),
            Mutant(
                "the loop does not begin where a tile of queries does, so that some queries are visited twice",
                old="begin = sees_one // TILE_M * TILE_M",
                new="begin = sees_one",
                killed_by="edge-query",
            ),
            Mutant(
                "the loop without a mask does not begin where a tile of queries does",
                old="whole = tl.cdiv(sees_all, TILE_M) * TILE_M",
                new="whole = sees_all",
                killed_by="causal",
            ),
            Mutant(
                "the mask ends one query before the first that sees all keys of the tile",
                old="first + TILE_N - 1 + n_q - n_k",
                new="first + TILE_N - 2 + n_q - n_k",
                killed_by="edge-query",
            ),
            Mutant(
                "the first tile of queries that sees a key of the tile is skipped",
                old="begin = sees_one // TILE_M * TILE_M",
                new="begin = (sees_one // TILE_M + 1) * TILE_M",
                killed_by="causal",
            ),
            Mutant(
                "the last, ragged tile of queries is dropped",
                old="whole, n_q, n_q, n_k",
                new="whole, n_q // TILE_M * TILE_M, n_q, n_k",
                killed_by="ragged",
            ),
            Mutant(
                "the last query is not visited where a tile of queries begins with it",
                old="whole, n_q, n_q, n_k",
                new="whole, n_q - 1, n_q, n_k",
                killed_by="tall-tiles",
            ),
            Mutant(
                "all tiles of queries are visited, those too that see none of the keys",
                old="begin = sees_one // TILE_M * TILE_M",
                new="begin = 0",
                killed_by="traffic",
            ),
        ],
        hints=[
            "A program holds one tile of keys, and the queries pass by. Everything with both a key and a query in it "
            "stands on its side, (TILE_N, TILE_M): S^T = K Q^T, P^T, dP^T = V dO^T, dS^T. Then dV += P^T dO and dK += "
            "dS^T Q are products of what you have, with nothing left to transpose but the tiles that were loaded.",
            "L, delta and do belong to the queries at hand: load L and delta with a mask, for the last tile may reach "
            "past the end, and use them as rows, `L[None, :]`. Give the accumulator to the product, tl.dot(a, b, dv), "
            "and bring P and dS to the inputs' dtype first. Query i sees key j if j <= i + N_k - N_q, so key `first` "
            "is first seen by query first + N_q - N_k, and all of the tile by query first + TILE_N - 1 + N_q - N_k; "
            "round the one down and the other up to whole tiles.",
            "exp(S - L) = exp2(S log2(e) - L log2(e)), and scale_2 is scale * log2(e) = scale * 1.442695. For N_q = "
            "N_k = 64, TILE_M = 16, TILE_N = 32, keys 32-63 are first seen by query 32 and all of them from query 63 "
            "on: begin = 32, whole = 64; queries 32-63 go through the mask, 0-31 are skipped. With L = -inf, P^T = "
            "inf until the mask makes it 0; a mask on the scores would give -inf - (-inf).",
        ],
    ),
    Exercise(
        function=flash_backward.query_gradients,
        kernels=(flash_backward.visit_keys, flash_backward.query_gradients_kernel),
        oracle=to_queries,
        outputs=(Output("dQ"),),
        backend="triton",
        points=3,
        tolerance=GRADIENTS,
        forbidden=KERNEL_FORBIDDEN,
        allowed=("clone",),
        compiled=on_gpu(*GIVEN),
        cases=BY_QUERIES,
        without=HEADS | NO_MAX,
        budget=Budget(
            loads=query_loads,
            stores=query_stores,
            traffic_is="q, do, L and delta once; k and v for each tile of queries, up to the last key that it sees",
            memory=query_stores,
            memory_is="dq itself",
        ),
        mutants=[
            Mutant("delta is missing", "(dp - delta[:, None])", "dp", "plain"),
            Mutant("dS is not multiplied by P", "p * (dp - delta[:, None])", "dp - delta[:, None]", "plain"),
            Mutant("delta is added", "dp - delta[:, None]", "dp + delta[:, None]", "plain"),
            Mutant("dQ is not multiplied by the scale", "(dq * scale)", "dq", "plain"),
            Mutant("dQ is multiplied by the scale twice", "(dq * scale)", "(dq * scale * scale)", "plain"),
            Mutant(
                "dQ is multiplied by scale_2, with its log2(e)",
                old="(dq * scale)",
                new="(dq * scale_2)",
                killed_by="plain",
                hint=3,
            ),
            Mutant("dQ is made of P instead of dS", "ds.to(k.dtype)", "p.to(k.dtype)", "plain", hint=1),
            Mutant(
                "dQ is made of the transpose of dS",
                old="ds.to(k.dtype)",
                new="tl.trans(ds).to(k.dtype)",
                killed_by="plain",
                hint=1,
            ),
            Mutant("v is not transposed in dP", "tl.dot(do, v.T,", "tl.dot(do, v,", "plain", hint=1),
            Mutant("L is not subtracted", "s * scale_2 - L[:, None]", "s * scale_2", "plain"),
            Mutant("L is spread along the queries instead of along the keys", "L[:, None]", "L[None, :]", "plain"),
            Mutant("exp is taken of exponents to base 2", "tl.exp2(s", "tl.exp(s", "plain", hint=3),
            Mutant("the scores are not scaled", "s * scale_2", "s * 1.4426950408889634", "plain"),
            Mutant(
                "P is divided by its sum over the tile of keys",
                old="        ds = p *",
                new="        p = p / tl.sum(p, axis=1)[:, None]\n        ds = p *",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "every tile of keys overwrites dQ instead of adding to it",
                old="k, dq, input",
                new="k, input",
                killed_by="plain",
            ),
            Mutant(
                "the causal mask is not applied to P made again",
                old="last = rows + n_k - n_q",
                new="last = tl.full([TILE_M], n_k - 1, tl.int32)",
                killed_by="causal",
            ),
            Mutant(
                "the causal mask hides every query's own key: it is off by one",
                old="keys[None, :] <= last",
                new="keys[None, :] < last",
                killed_by="causal",
            ),
            Mutant(
                "the causal mask is aligned top-left: N_k - N_q is missing in it",
                old="last = rows + n_k - n_q",
                new="last = rows",
                killed_by="cross",
            ),
            Mutant(
                "keys past the last one are not masked, and exp(-L) overflows there",
                old="last = tl.full([TILE_M], n_k - 1, tl.int32)",
                new="last = tl.full([TILE_M], n_k + TILE_N, tl.int32)",
                killed_by="very-negative",
                hint=3,
            ),
            Mutant(
                "the mask puts -inf into the scores, and where L is -inf too their difference is NaN",
                old="        p = tl.exp2(s * scale_2 - L[:, None])\n"
                "        if MASKED:\n"
                "            p = tl.where(keys[None, :] <= last[:, None], p, 0.0)",
                new="        if MASKED:\n"
                '            s = tl.where(keys[None, :] <= last[:, None], s, float("-inf"))\n'
                "        p = tl.exp2(s * scale_2 - L[:, None])",
                killed_by="fully-masked",
                hint=3,
            ),
            Mutant(
                "the tiles on the diagonal are skipped",
                old="b, h, whole, seen_by_any, scale_2",
                new="b, h, whole, whole if CAUSAL else n_k, scale_2",
                killed_by="causal",
            ),
            Mutant(
                "the loop over keys ends one key before the last one that the tile's last query sees",
                old="seen_by_any = tl.minimum(first + TILE_M + n_k - n_q, n_k)",
                new="seen_by_any = tl.minimum(first + TILE_M - 1 + n_k - n_q, n_k)",
                killed_by="edge-key",
            ),
            Mutant(
                "the end of the keys is rounded down to whole tiles, so that a tile seen in part is dropped",
                old="seen_by_any = tl.minimum(first + TILE_M + n_k - n_q, n_k)",
                new="seen_by_any = tl.minimum(first + TILE_M + n_k - n_q, n_k) // TILE_N * TILE_N",
                killed_by="causal",
            ),
            Mutant(
                "a tile of keys goes unmasked although its last key is hidden from the first query: it is off by one",
                old="first + 1 + n_k - n_q",
                new="first + 2 + n_k - n_q",
                killed_by="edge-query",
            ),
            Mutant(
                "without a causal mask the last key is not visited where a tile of keys begins with it",
                old="seen_by_any = n_k\n",
                new="seen_by_any = n_k - 1\n",
                killed_by="tall-tiles",
            ),
            Mutant(
                "the last, ragged tile of keys is dropped",
                old="seen_by_any = n_k\n",
                new="seen_by_any = n_k // TILE_N * TILE_N\n",
                killed_by="ragged",
            ),
            Mutant(
                "the tile on the diagonal goes without the mask",
                old="whole = seen_by_all // TILE_N * TILE_N",
                new="whole = tl.cdiv(seen_by_all, TILE_N) * TILE_N",
                killed_by="causal",
            ),
            Mutant(
                "the loop with the mask does not begin where a tile of keys does",
                old="whole = seen_by_all // TILE_N * TILE_N",
                new="whole = seen_by_all",
                killed_by="causal",
            ),
            Mutant(
                "where the first query of a tile sees no key, the loop with the mask begins before key 0",
                old="tl.maximum(first + 1 + n_k - n_q, 0)",
                new="first + 1 + n_k - n_q",
                killed_by="fully-masked",
                hint=2,
            ),
            Mutant(
                "all tiles of keys are visited, those too that no query of the tile sees",
                old="seen_by_any = tl.minimum(first + TILE_M + n_k - n_q, n_k)",
                new="seen_by_any = n_k + 0",
                killed_by="traffic",
            ),
        ],
        hints=[
            "The same tiles upright, and the same loop as in the forward pass: a program holds one tile of queries, "
            "the keys pass by, and dQ takes the place of the accumulator. Nothing has to be rescaled on the way: L is "
            "final.",
            "L and delta are columns here, `L[:, None]`, and L is already multiplied by log2(e). Which keys need no "
            "mask, and up to which key one query sees any, are the two numbers of lesson 08; padded keys count as not "
            "seen. The scale comes in once, when dQ is stored.",
            "N_q = N_k = 64, TILE_M = 16, TILE_N = 32, queries 32-47: query 32 sees keys 0-32, so 33 keys are seen by "
            "all, 48 by any; whole = 32. Keys 0-31 go without the mask, keys 32-63 with it (the loop runs from 32 to "
            "48, which is one tile). dQ = scale * dS K: scale, not scale_2.",
        ],
    ),
    Exercise(
        function=flash_backward.attention_backward,
        oracle=gradients,
        outputs=GRADIENT_OUTPUTS,
        backend="triton",
        points=1,
        tolerance=GRADIENTS,
        forbidden=KERNEL_FORBIDDEN,
        allowed=("clone",),
        cases=TOGETHER,
        without=HEADS | NO_MAX,
        budget=Budget(
            loads=all_loads,
            stores=all_stores,
            traffic_is="what the three kernels may move together",
            memory=all_stores,
            memory_is="dq, dk, dv and delta",
        ),
        mutants=[
            Mutant("delta is missing", "row_delta(o, do)", "torch.zeros_like(L)", "plain"),
            Mutant("delta is made of do alone", "row_delta(o, do)", "row_delta(do, do)", "plain"),
            Mutant("delta is made of o alone", "row_delta(o, do)", "row_delta(o, o)", "plain"),
            Mutant(
                "dk, dv and dq are returned in this order instead of dq first",
                old="return dq, dk, dv",
                new="return dk, dv, dq",
                killed_by="plain",
            ),
            Mutant("dk and dv have changed places", "return dq, dk, dv", "return dq, dv, dk", "plain"),
            Mutant(
                "the kernel for dq is not told that attention was causal",
                old="query_gradients(q, k, v, do, L, delta, causal",
                new="query_gradients(q, k, v, do, L, delta, False",
                killed_by="causal",
            ),
            Mutant(
                "the kernel for dk and dv is not told that attention was causal",
                old="key_value_gradients(q, k, v, do, L, delta, causal",
                new="key_value_gradients(q, k, v, do, L, delta, False",
                killed_by="causal",
            ),
            Mutant(
                "the kernel for dq is not told the scale",
                old="dq = query_gradients(q, k, v, do, L, delta, causal, scale",
                new="dq = query_gradients(q, k, v, do, L, delta, causal, None",
                killed_by="scaled",
            ),
            Mutant(
                "the kernel for dk and dv is not told the scale",
                old="dk, dv = key_value_gradients(q, k, v, do, L, delta, causal, scale",
                new="dk, dv = key_value_gradients(q, k, v, do, L, delta, causal, None",
                killed_by="scaled",
            ),
            Mutant(
                "the kernel for dk and dv gets o where it wants do",
                old="key_value_gradients(q, k, v, do",
                new="key_value_gradients(q, k, v, o",
                killed_by="plain",
            ),
        ],
        hints=[
            "Three launches, and the second and the third need what the first one wrote.",
            "Both kernels take the same arguments: q, k, v, do, L, delta, then causal, scale and the tiles. What one "
            "of them is not told it takes for the default.",
            "With one query q = 1, scale 1, keys [0, ln 3], values [4, 8] and do = 2: o = 7 and delta = 14. "
            "query_gradients gives dq = 1.648, key_value_gradients gives dk = [-1.5, 1.5] and dv = [0.5, 1.5]. Return "
            "(dq, dk, dv).",
        ],
    ),
    Exercise(
        function=flash_backward.attention_with_gradients,
        oracle=forward_and_backward,
        outputs=(Output("O"), *GRADIENT_OUTPUTS),
        backend="triton",
        points=2,
        tolerance=GRADIENTS,
        forbidden=("softmax", "logsumexp", "scaled_dot_product"),
        allowed=("clone",),
        cases=OPERATOR,
        without=HEADS | NO_MAX,
        budget=Budget(memory=linear_memory, memory_is="o, dq, dk, dv, and L and delta for every query"),
        mutants=[
            Mutant(
                "the backward pass does not know that the forward pass was causal",
                old="do, causal, scale",
                new="do, False, scale",
                killed_by="causal",
            ),
            Mutant(
                "the forward pass is not told that it is causal",
                old="flash_attention(q, k, v, causal",
                new="flash_attention(q, k, v, False",
                killed_by="causal",
            ),
            Mutant(
                "the backward pass does not know the scale of the forward pass",
                old="do, causal, scale",
                new="do, causal, None",
                killed_by="scaled",
            ),
            Mutant(
                "the forward pass is not told the scale",
                old="flash_attention(q, k, v, causal, scale",
                new="flash_attention(q, k, v, causal, None",
                killed_by="scaled",
            ),
            Mutant(
                "the gradient that comes in is ignored, as if the loss were the sum of the outputs",
                old="saved_tensors, do,",
                new="saved_tensors, torch.ones_like(do),",
                killed_by="plain",
            ),
            Mutant(
                "k and v are saved in one order and taken back in the other",
                old="save_for_backward(q, k, v, o, L)",
                new="save_for_backward(q, v, k, o, L)",
                killed_by="plain",
            ),
            Mutant(
                "backward returns the gradients in another order than that of forward's arguments",
                old="return attention_backward(*ctx.saved_tensors, do, causal, scale, tile_m, tile_n)",
                new="return attention_backward(*ctx.saved_tensors, do, causal, scale, tile_m, tile_n)[::-1]",
                killed_by="plain",
            ),
        ],
        hints=[
            "A torch.autograd.Function has two static methods. `forward(ctx, ...)` computes and puts away what the "
            "backward pass will need; `backward(ctx, do)` gets the gradient of the output and returns one gradient for "
            "each argument of forward, in the same order.",
            "What has to be saved is what is linear in N: q, k, v, o and L, with `ctx.save_for_backward`, and they "
            "come back as `ctx.saved_tensors`. causal, scale and the tiles are in scope in both methods.",
            "Squaring, as an example of the form: forward(ctx, x) saves x and returns x * x; backward(ctx, dy) takes x "
            "back and returns 2 * x * dy. With x = 3 and dy = 5 that is 30. Here forward has three arguments q, k, v, "
            "so backward returns (dq, dk, dv).",
        ],
    ),
]

QUESTIONS = [
    Question(
        name="kept_gigabytes",
        ask="32 layers of 32 heads, one text of 8192 tokens, bf16: how many gigabytes (10^9 bytes) of P does autograd "
        "keep?",
        answer=137.4,
        rel=0.01,
        why="32 * 32 matrices of 8192 * 8192 numbers of 2 bytes are 1.374e11 bytes: 137 GB, which is nearly all of an "
        "H200's memory. Twice the text is four times that.",
        unit="GB",
    ),
    Question(
        name="executed_tflops",
        ask="Reported 300 TFLOP/s for five products; seven are computed. At how many TFLOP/s do the matrix units work?",
        answer=420,
        rel=0.01,
        why="In the same time they do 7/5 of the work: 300 * 7/5 = 420 TFLOP/s.",
        unit="TFLOP/s",
    ),
    Question(
        name="loads_of_q",
        ask="N_k = 4096, tiles of 128 keys, no mask: how often is each entry of Q loaded from main memory by the dK/dV "
        "kernel?",
        answer=32,
        rel=0,
        why="Each of the 4096 / 128 = 32 programs of a head goes through all the queries; K and V are loaded once.",
        unit="times",
    ),
]
