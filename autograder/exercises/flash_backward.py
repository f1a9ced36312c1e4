"""The gradients of attention, first in torch with whole matrices and tiles, then in Triton."""

from typing import Any

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor

from autograder.exercises.draws import drawn, on_grid, only, swapped, swing
from autograder.exercises.flash_tiles import keys_of_tiles, queries_of_tiles
from autograder.spec.edits import BETWEEN_HUNKS, Diff, Mutant, Swap
from autograder.spec.exercise import Arguments, Budget, Case, Exercise, Output, Quantity, Question, Tolerance
from kernels import flash_backward, reference

GRADIENTS = Tolerance(factor=3)
ONE_HEAD = {"grouped": "heads come with the kernels, and groups of them with grouped queries"}
NO_MAX = {"rising max": "there is no running maximum: L is known from the start"}
HEADS = {"grouped": "every head has its own keys until the lesson on grouped queries"}
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
    """dQ, dK, dV with whole matrices, any leading axes; tile sizes must not matter."""
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    p = from_lse(q, k, L, scale=scale, causal=causal)
    ds = p * (do @ v.transpose(-1, -2) - delta[..., None])
    return scale * (ds @ k), scale * (ds.transpose(-1, -2) @ q), p.transpose(-1, -2) @ do


def gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, **tiles: int,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """The same from o."""
    return through_attention(q, k, v, do, L, one_number_a_query(o, do), causal, scale)


def one_number_a_query(o: Tensor, do: Tensor, tile_m: int = 64) -> Tensor:
    """rowsum(dO * O)."""
    return (o * do).sum(dim=-1)


def to_keys_and_values(**given) -> tuple[Tensor, Tensor]:
    return through_attention(**given)[1:]


def to_queries(**given) -> Tensor:
    return through_attention(**given)[0]


def forward_and_backward(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False, scale: float | None = None, **tiles: int | None
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """O = softmax(S) V and dQ, dK, dV."""
    o, L = reference.attention(q, k, v, causal, scale)
    return o, *through_attention(q, k, v, do, L, one_number_a_query(o, do), causal, scale)


# Inputs.


def wide(x: np.ndarray) -> Tensor:
    """The array as a float64 tensor."""
    return torch.from_numpy(x.astype(np.float64))


@drawn
def rows(
    rng: Generator, /, r: int, n: int, spread: float = 1.5, level: float = 0.0, empty: tuple[int, ...] = (),
    strided: bool = False,
) -> Arguments:  # fmt: skip
    """Rows of probabilities, from logits of standard deviation `spread`, and their gradients around `level`."""
    p = torch.softmax(torch.from_numpy(spread * rng.standard_normal((r, n))), dim=-1).numpy()
    p[list(empty)] = 0
    dp = level + rng.standard_normal((r, n)) + rng.standard_normal((r, 1))
    given = {"p": p.astype(np.float32), "dp": dp.astype(np.float32)}
    return {name: swapped(x, 0, 1) for name, x in given.items()} if strided else given


@drawn
def head(
    rng: Generator, /, n_q: int, n_k: int, d: int = 16, d_v: int = 8, level: Any = 0.0, strided: bool = False,
    **rest: Any,
) -> Arguments:  # fmt: skip
    """One head after its forward pass: q, k, v, o, L, do, and what else is given in `rest`.

    The scores, at the scale 1/sqrt(d), are about 2 * N(0, 1) + level, `level` a number or one for each query.
    """
    q, k = on_grid(1.5 * rng.standard_normal((n_q, d))), on_grid(1.5 * rng.standard_normal((n_k, d)))
    if np.any(level):
        q[:, -1], k[:, -1] = level, d**0.5
    v = rng.standard_normal((n_k, d_v)) + np.linspace(-1, 1, n_k)[:, None]
    do = rng.standard_normal((n_q, d_v)) + 0.5
    return after_forward(q, k, v, do, np.float32, strided, **rest)


def after_forward(q, k, v, do, dtype, strided: bool = False, **rest) -> Arguments:
    """The arguments of a backward pass; strided: every matrix is a view with its last two axes swapped in memory."""
    q, k, v, do = (x.astype(dtype) for x in (q, k, v, do))
    o, L = reference.attention(wide(q), wide(k), wide(v), rest.get("causal", False), rest.get("scale"))
    given = {"q": q, "k": k, "v": v, "o": o.numpy().astype(dtype), "L": L.numpy().astype(np.float32), "do": do}
    if strided:
        given = {n: x if n == "L" else swapped(x, -1, -2) for n, x in given.items()}
    return given | rest


@drawn
def part_of_forward(rng: Generator, /, n_q: int, n_k: int, first: int, stop: int, **rest: Any) -> Arguments:
    """q, k, L and mask for the keys first .. stop - 1 of a head that has n_k of them."""
    causal = bool(rest.get("causal"))
    given = head(n_q, n_k, **rest)(rng)
    seen = reference.causal_mask(n_q, n_k).numpy()[:, first:stop]
    given |= {"k": given["k"][first:stop], "mask": seen if causal else None, "scale": rest.get("scale")}
    return {name: given[name] for name in ("q", "k", "L", "mask", "scale")}


@drawn
def slice_of_keys(rng: Generator, /, n_q: int, n_k: int, first: int, stop: int, **rest: Any) -> Arguments:
    """p, v, o, do for the keys first .. stop - 1 of a head that has n_k of them."""
    given = head(n_q, n_k, **rest)(rng)
    p = from_lse(wide(given["q"]), wide(given["k"]), wide(given["L"]), causal=rest.get("causal", False))
    part = p[:, first:stop].numpy().astype(np.float32)
    return {"p": part, "v": given["v"][first:stop], "o": given["o"], "do": given["do"]}


def hidden_at_random(rng: Generator) -> Arguments:
    """A mask that hides half of the keys at random; L is that of the keys that are seen."""
    given = head(24, 19)(rng)
    mask = rng.random((24, 19)) < 0.5
    mask[:, 0] = True
    s = reference.scores(wide(given["q"]), wide(given["k"])).masked_fill(torch.from_numpy(~mask), float("-inf"))
    L = reference.log_sum_exp(s).numpy().astype(np.float32)
    return {"q": given["q"], "k": given["k"], "L": L, "mask": mask, "scale": None}


@drawn
def heads(
    rng: Generator, /, *shape: int, dtype=np.float32, level: Any = 0.0, strided: bool = False, swinging: bool = False,
    size: int = 1, **rest,
) -> Arguments:  # fmt: skip
    """The same for a batch of heads, q, k, v, o, do (B, H, N, d) and L (B, H, N_q), and delta.

    shape = (B, H, N_q, N_k, d). strided: in memory the tokens come before the heads. swinging: see `swing`. size: of
    the entries of v and do; where it is not 1, no key has much of the weight.
    """
    b, h, n_q, n_k, d = shape
    q, k = (on_grid(1.5 * rng.standard_normal((b, h, n, d))) for n in (n_q, n_k))
    if np.any(level):
        q[..., -1], k[..., -1] = level, d**0.5
    v = rng.standard_normal((b, h, n_k, d)) + np.linspace(-1, 1, n_k)[:, None]
    do = rng.standard_normal((b, h, n_q, d)) + 0.5
    if swinging:
        swing(q, k, v, do)
    if size != 1:
        q, v, do = q / 16, size * v, size * do
    given = after_forward(q, k, v, do, dtype, **rest)
    delta = one_number_a_query(wide(given["o"]), wide(given["do"])).numpy()
    if strided:
        given |= {name: swapped(given[name], 1, 2) for name in ("q", "k", "v", "o", "do")}
    return given | {"delta": delta.astype(np.float32)}


UP, DOWN = np.linspace(150, 250, 11), np.append(np.linspace(-150, -500, 8), (-12_000, -30_000, -100_000))

# The situations, in the same words for every exercise that has them.

CAUSAL = "causal, as many queries as keys"
CROSS = "causal, 5 queries at the end of 21 keys: query 0 already sees 17 of them"
UNSEEN = "causal, 9 queries and only 5 keys: the first 4 queries see none, their L is -inf"
SCALED = "the scale is given: 0.125, not 1/sqrt(16)"
SCALE_0 = "the scale that is given is 0: every key counts alike"
SCALE_NEGATIVE = "the scale that is given is -0.5"
LARGE = "scores from 150 to 250, where exp overflows"
SMALL = "scores from -100000 to -150, where every exp is 0"
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
    Case("scale-0", SCALE_0, part_of_forward(12, 24, 8, 16, scale=0.0)),
    Case("scale-negative", SCALE_NEGATIVE, part_of_forward(12, 24, 8, 16, scale=-0.5)),
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
    Case("scale-0", SCALE_0, head(11, 20, scale=0.0)),
    Case("scale-negative", SCALE_NEGATIVE, head(11, 20, scale=-0.5)),
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
    Case("scale-0", SCALE_0, head(11, 20, scale=0.0, tile_m=4, tile_n=8)),
    Case("scale-negative", SCALE_NEGATIVE, head(11, 20, scale=-0.5, tile_m=4, tile_n=8)),
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
    Case("float16", DELTA_HALF, only(heads(1, 2, 40, 40, 64, dtype=np.float16, tile_m=32), *O_AND_DO)),
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
T_SMALL = "scores from -12000 to -150, where exp(-L) overflows"
T_HALF = "float16, d = 32: ten tiles of 16 are added to each sum"
T_SWING = "float16: the sums over ten tiles are large on the way and small at the end"
T_BEYOND = "float16, v and do around 100: dP passes the largest number of float16, and dS and the gradients do not"
T_TINY = "float16, v and do around 100, and a scale of 1e-6, of which the gradients are a multiple"
T_TRAFFIC = "traffic: causal, 64 queries, 80 keys, tiles of 16 x 32"
T_UP, T_DOWN = np.linspace(150, 250, 21), np.append(np.linspace(-150, -500, 18), (-11_000, -11_500, -12_000))

SETTINGS = ("causal", "scale", "tile_m", "tile_n")
GIVEN = ("q", "k", "v", "do", "L", "delta", *SETTINGS)


def tiled(*names: str, by_keys: bool = False) -> list[Case]:
    """The situations of a backward pass in Triton, with the arguments `names`; by_keys: the outputs have keys' rows."""

    def case(
        key: str, name: str, *shape, regimes: tuple[str, ...] = (), budget: bool = False, m=16, n=32, **rest
    ) -> Case:
        draw = only(heads(*shape, tile_m=m, tile_n=n, **rest), *names)
        return Case(key, name, draw, regimes, tile=(n if by_keys else m, shape[4]), budget=budget)

    long = (1, 1, *((160, 32) if by_keys else (32, 160)), 32)
    many = (1, 1, *((96, 32) if by_keys else (32, 96)), 32)
    half: dict[str, Any] = {"dtype": np.float16, "n": 16}
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
        case("float16", T_HALF, *long, **half),
        case("float16-sums", T_SWING, *long, **half, swinging=True),
        case("large-gradients", T_BEYOND, *many, **half, size=100),
        case("tiny-scale", T_TINY, *many, **half, size=100, scale=1e-6),
        case("strided", T_STRIDED, 2, 3, 20, 24, 16, strided=True, regimes=("strided",)),
        case("traffic", T_TRAFFIC, 1, 2, 64, 80, 16, causal=True, budget=True),
    ]


BY_KEYS, BY_QUERIES = tiled(*GIVEN, by_keys=True), tiled(*GIVEN)
OF_ONE_KERNEL = ("tall-tiles", "edge-key", "edge-query")  # where its loop begins and ends
TOGETHER = [c for c in tiled("q", "k", "v", "o", "L", "do", *SETTINGS) if c.key not in OF_ONE_KERNEL]
OPERATOR = [c for c in tiled("q", "k", "v", "do", *SETTINGS) if c.key not in OF_ONE_KERNEL]


def on_gpu(*names: str):
    """Arguments of the size of a real problem, for the compiler: float16, d = 64, the tiles that are the default."""
    return only(heads(1, 2, 256, 256, 64, dtype=np.float16, causal=True), *names)


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
    batch, heads = a["q"].shape[:2]
    visits = queries_of_tiles(a, a["tile_m"], a["tile_n"])
    return moved(a, a["k"].shape[2], visits) + batch * heads * visits * 2 * 4


def key_value_stores(a: Arguments) -> int:
    return a["k"].nbytes + a["v"].nbytes


def query_loads(a: Arguments) -> int:
    """q, do, L and delta once; k and v for each tile of queries, up to the last tile of keys that one of them sees."""
    batch, heads, n_q, _ = a["q"].shape
    return moved(a, n_q, keys_of_tiles(a, a["tile_m"], a["tile_n"])) + batch * heads * n_q * 2 * 4


def query_stores(a: Arguments) -> int:
    return a["q"].nbytes


def all_loads(a: Arguments) -> int:
    return delta_loads(a) + key_value_loads(a) + query_loads(a)


def all_stores(a: Arguments) -> int:
    return delta_stores(a) + key_value_stores(a) + query_stores(a)


def linear_memory(a: Arguments) -> int:
    """o and the three gradients, and three numbers for each query."""
    return 2 * a["q"].nbytes + a["k"].nbytes + a["v"].nbytes + 3 * 4 * a["q"][..., 0].size


GRADIENT_OUTPUTS = (Output("dQ"), Output("dK"), Output("dV"))


# Mistakes that `attention_gradients` and its tiled form invite. q, k, do: the operands as they stand in the source.


def scales(q: str = "q", k: str = "k") -> list[Mutant]:
    """Mistakes with the scale."""
    both = [f"dq = {{}}(ds @ {k})", f"dk = {{}}(ds.T @ {q})"]
    if q != "q":
        both = [f"dk[keys] += {{}}(ds.T @ {q})", f"dq[queries] += {{}}(ds @ {k})"]
    return [
        Mutant(
            "dk-scaled-twice",
            "dK is multiplied by the scale twice, dQ once",
            Swap(f"scale * (ds.T @ {q})", f"scale * scale * (ds.T @ {q})"),
            killed_by="plain",
        ),
        Mutant(
            "dq-not-scaled",
            "dQ is not multiplied by the scale",
            Swap(f"scale * (ds @ {k})", f"(ds @ {k})"),
            killed_by="plain",
        ),
        Mutant(
            "dk-not-scaled",
            "dK is not multiplied by the scale",
            Swap(f"scale * (ds.T @ {q})", f"(ds.T @ {q})"),
            killed_by="plain",
        ),
        Mutant(
            "nothing-scaled",
            "neither dQ nor dK is multiplied by the scale",
            Diff(tuple(f"{mark}{line.format(by)}" for line in both for mark, by in (("-", "scale * "), ("+", "")))),
            killed_by="plain",
        ),
        Mutant(
            "scaled-twice",
            "the scale is applied to dS and to the products once more",
            Swap("    ds = score_gradients(p, v", "    ds = score_gradients(p * scale, v"),
            killed_by="plain",
        ),
        Mutant(
            "scale-not-handed-on",
            "the scale that is given is not handed on to the probabilities",
            Swap("mask, scale)", "mask)"),
            killed_by="scaled",
        ),
    ]


def products(q: str = "q", k: str = "k", do: str = "do", v: str = "v", o: str = "o") -> list[Mutant]:
    """Mistakes with what is multiplied."""
    return [
        Mutant(
            "no-delta",
            "delta is missing",
            Swap(f"score_gradients(p, {v}, {o}, {do})", f"p * ({do} @ {v}.T)"),
            killed_by="plain",
        ),
        Mutant(
            "dk-not-transposed",
            "dK is made of dS instead of its transpose",
            Swap(f"scale * (ds.T @ {q})", f"scale * (ds @ {q})"),
            killed_by="square",
            hint=3,
        ),
        Mutant(
            "dq-transposed",
            "dQ is made of the transpose of dS instead of dS itself",
            Swap(f"scale * (ds @ {k})", f"scale * (ds.T @ {k})"),
            killed_by="square",
            hint=3,
        ),
        Mutant(
            "dv-not-transposed",
            "dV is made of P instead of its transpose",
            Swap(f"p.T @ {do}", f"p @ {do}"),
            killed_by="square",
            hint=3,
        ),
        Mutant(
            "dv-of-ds", "dV is made of dS instead of P", Swap(f"p.T @ {do}", f"ds.T @ {do}"), killed_by="plain", hint=1
        ),
        Mutant(
            "dk-of-p",
            "dK is made of P instead of dS",
            Swap(f"scale * (ds.T @ {q})", f"scale * (p.T @ {q})"),
            killed_by="plain",
            hint=1,
        ),
        Mutant(
            "dq-of-p",
            "dQ is made of P instead of dS",
            Swap(f"scale * (ds @ {k})", f"scale * (p @ {k})"),
            killed_by="plain",
            hint=1,
        ),
    ]


def tiles_left_out() -> list[Mutant]:
    """Mistakes with tiles that count only in part."""
    sums = "dv[keys] {0} p.T @ do[queries]", "dk[keys] {0} scale * (ds.T @ q[queries])"
    overwritten = [f"-{line.format('+=')}" for line in sums] + [f"+{line.format('=')}" for line in sums]
    tiles = (
        ("for j in range(0, n_k{0}, tile_n):", " - tile_n + 1"),
        ("for i in range(0, n_q{0}, tile_m):", " - tile_m + 1"),
    )
    (keys, queries) = ((f"-{line.format('')}", f"+{line.format(less)}") for line, less in tiles)
    skipped = " queries = slice(i, min(i + tile_m, n_q))", "+if causal and j > i + tile_m - 1:", "+    continue"
    return [
        Mutant(
            "keys-overwritten",
            "every query tile overwrites dK and dV instead of adding to them",
            Diff(tuple(overwritten)),
            killed_by="plain",
        ),
        Mutant(
            "ragged-dropped",
            "the last, ragged tile of either side is dropped",
            Diff((*keys, BETWEEN_HUNKS, *queries)),
            killed_by="ragged",
        ),
        Mutant(
            "skipped-top-left",
            "tiles are skipped as if the mask were aligned top-left: N_k - N_q is missing where a tile is skipped",
            Diff(skipped),
            killed_by="cross",
        ),
    ]


# Mistakes in the kernels that are made in several places alike.

HEADS_SWAPPED = Mutant(
    "batch-and-head-swapped",
    "batch and head have changed places: the program's number is read as if batches ran fastest",
    Diff(("-b, h = head // H, head % H", "+b, h = head % H, head // H", " first = tl.program_id(0) * TILE_M")),
    killed_by="ragged",
)
FIRST_HEAD_ONLY = Mutant(
    "head-not-counted",
    "every head writes to the place of the first one",
    Diff(
        (
            " rows = first + tl.arange(0, TILE_M)",
            "-at = head.to(tl.int64) * n_q + rows",
            "+at = rows",
            " ### BEGIN SOLUTION",
        )
    ),
    killed_by="ragged",
)
LOOP_TOP_LEFT = Mutant(
    "loop-top-left",
    "where the loop begins, and where it begins to mask, N_k is taken for N_q: their difference is missing",
    Diff(
        (
            "-sees_one = tl.maximum(first + n_q - n_k, 0)  # the first query that sees a key",
            "-sees_all = tl.maximum(first + TILE_N - 1 + n_q - n_k, 0)",
            "+sees_one = first",
            "+sees_all = first + TILE_N - 1",
        )
    ),
    killed_by="cross",
)
QUERIES_TOP_LEFT = Mutant(
    "all-top-left",
    "the causal mask and the range of keys are aligned top-left: N_k - N_q is missing in both",
    Diff(
        (
            "-last = rows + n_k - n_q",
            "-seen_by_all = tl.minimum(tl.maximum(first + 1 + n_k - n_q, 0), n_k)",
            "-seen_by_any = tl.minimum(first + TILE_M + n_k - n_q, n_k)",
            "+last = rows",
            "+seen_by_all = tl.minimum(first + 1, n_k)",
            "+seen_by_any = tl.minimum(first + TILE_M, n_k)",
        )
    ),
    killed_by="cross",
)


def rounded_difference(difference: str) -> Mutant:
    said = "dP - delta is rounded to the inputs' dtype before it is multiplied by P"
    edit = Swap(f"{difference}\n", f"{difference}.to(do.dtype).to(tl.float32)\n")
    return Mutant("rounded-difference", said, edit, killed_by="large-gradients")


DS_SCALED = Mutant(
    "ds-scaled",
    "dS is multiplied by scale_2 too, so that dQ gets the scale twice, once with log2(e)",
    Swap("ds = p * (dp - delta[:, None])", "ds = scale_2 * p * (dp - delta[:, None])"),
    killed_by="plain",
)

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
        budget=Budget(is_the_point=True, memory=no_jacobian, memory_is="five times the bytes of p: no Jacobian"),
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
            *scales(),
            *products(),
            Mutant(
                "top-left",
                "the causal mask is aligned top-left: the offset N_k - N_q is missing",
                Swap("torch.arange(n_q)[:, None] + n_k - n_q", "torch.arange(n_q)[:, None]"),
                killed_by="cross",
            ),
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
            is_the_point=True,
            memory=gradients_and_tiles,
            memory_is="the three gradients and ten times what one tile needs of P, q, k, v and o",
        ),
        mutants=[
            *scales("q[queries]", "k[keys]"),
            *products("q[queries]", "k[keys]", "do[queries]", "v[keys]", "o[queries]"),
            *tiles_left_out(),
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
        mutants=[HEADS_SWAPPED, FIRST_HEAD_ONLY],
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
        mutants=[LOOP_TOP_LEFT, rounded_difference("(dp_t - delta[None, :])")],
        without=HEADS | NO_MAX,
        budget=Budget(
            is_the_point=True,
            loads=key_value_loads,
            stores=key_value_stores,
            traffic_is="k and v once; q, do, L and delta for each tile of keys, from its first query on",
            memory=key_value_stores,
            memory_is="dk and dv themselves",
        ),
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
        mutants=[QUERIES_TOP_LEFT, DS_SCALED, rounded_difference("(dp - delta[:, None])")],
        without=HEADS | NO_MAX,
        budget=Budget(
            is_the_point=True,
            loads=query_loads,
            stores=query_stores,
            traffic_is="q, do, L and delta once; k and v for each tile of queries, up to the last key that it sees",
            memory=query_stores,
            memory_is="dq itself",
        ),
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
            is_the_point=True,
            loads=all_loads,
            stores=all_stores,
            traffic_is="what the three kernels may move together",
            memory=all_stores,
            memory_is="dq, dk, dv and delta",
        ),
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
        budget=Budget(
            is_the_point=True, memory=linear_memory, memory_is="o, dq, dk, dv, and three numbers for every query"
        ),
    ),
]

QUESTIONS = [
    Question(
        name="kept_gigabytes",
        ask="32 layers of 32 heads, one sequence of 8192 tokens, bf16: how many gigabytes (10^9 bytes) of P does "
        "autograd keep?",
        answer=Quantity(137.4, "GB", rel=0.01),
        why="32 * 32 matrices of 8192 * 8192 numbers of 2 bytes are 1.374e11 bytes: 137 GB, which is nearly all of an "
        "H200's memory. A sequence twice as long takes four times as much.",
    ),
    Question(
        name="executed_tflops",
        ask="300 TFLOP/s are reported for five products, but seven are computed. At how many TFLOP/s do the "
        "matrix units work?",
        answer=Quantity(420, "TFLOP/s", rel=0.01),
        why="In the same time they do 7/5 of the work: 300 * 7/5 = 420 TFLOP/s.",
    ),
    Question(
        name="loads_of_q",
        ask="N_k = 4096, tiles of 128 keys, no mask: how often is each entry of Q loaded from main memory by the dK/dV "
        "kernel?",
        answer=Quantity(32, "times"),
        why="Each of the 4096 / 128 = 32 programs of a head goes through all the queries; K and V are loaded once.",
    ),
]
