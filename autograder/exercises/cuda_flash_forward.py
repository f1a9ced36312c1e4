"""Lesson 12: attention forward in CUDA C++, from one thread for each query to tensor cores fed while they compute."""

from collections.abc import Callable
from math import ceil

import numpy as np
from numpy.random import Generator
from torch import Tensor

from autograder.spec.exercise import Arguments, Budget, Case, Exercise, Mutant, Output, Question
from kernels import cuda_flash_forward, reference

Draw = Callable[[Generator], Arguments]

WITHOUT = {
    "strided": "the launchers hand contiguous tensors over",
    "grouped": "every head has its own keys until lesson 15",
}
OUTPUTS = (Output("O"), Output("L", "float32"))


# What is right.


def with_lse(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    """Attention with all keys at once.

    Of 16-bit inputs all sums are float32, as the contract says, and the probabilities 16-bit, as for tensor cores.
    """
    q, k, wide_v = (x.float() if x.itemsize == 2 else x for x in (q, k, v))
    s = reference.scores(q, k, causal, scale)
    p = reference.softmax(s).to(v.dtype)
    return (p.to(wide_v.dtype) @ wide_v).to(v.dtype), reference.log_sum_exp(s)


# Inputs.


def heads(*shape: int, level=0.0, profile=0.0, **rest: object) -> Draw:
    """q, k, v in float16 with shape = (B, H, N_q, N_k, d); `rest` is handed on.

    The scores, at the scale 1/sqrt(d), are about 2 * N(0, 1) + level + profile: `level` is a number or one for each
    query, `profile` a number or one for each key. q and k are multiples of 1/16, so the products are exact in any order
    of summation. The values drift along the keys.
    """
    b, h, n_q, n_k, d = shape

    def draw(rng: Generator) -> Arguments:
        q, k = (np.round(16 * 1.5 * rng.standard_normal((b, h, n, d))) / 16 for n in (n_q, n_k))
        if np.any(level) or np.any(profile):
            q[..., -1], k[..., -1] = (level, d**0.5) if np.any(level) else (d**0.5, profile)
        v = rng.standard_normal((b, h, n_k, d)) + np.linspace(-2, 2, n_k)[:, None]
        return {name: x.astype(np.float16) for name, x in (("q", q), ("k", k), ("v", v))} | rest

    return draw


# The situations, in the same words for every exercise.

SCALED = "the scale is given: 0.2, not 1/sqrt(64)"
CROSS = "causal, 5 queries at the end of 90 keys: query 0 already sees 86 of them"
UNSEEN = "causal, 90 queries and only 20 keys: the first 70 queries see none, and their rows are 0 and -inf"
RISING = "the maximum grows from key to key"
LARGE = "scores from 150 to 250, where exp overflows"
SMALL = "scores from -500 to -150, where every exp is 0"
METERED = "counted: causal, two heads, 200 queries, 136 keys"

CLIMB = 0.25 * np.arange(90)
CLIFF = np.where(np.arange(90) < 16, 120.0, 0.0)

CASES = [
    Case("plain", "one head, 6 queries, 10 keys, d = 64", heads(1, 1, 6, 10, 64)),
    Case("single", "one query and one key", heads(1, 1, 1, 1, 64), ("single",)),
    Case("ragged", "37 queries, 83 keys: neither is a multiple of a tile", heads(1, 1, 37, 83, 64), ("ragged",)),
    Case("heads", "two batches of three heads, 20 queries, 40 keys", heads(2, 3, 20, 40, 64)),
    Case("scaled", SCALED, heads(1, 1, 20, 40, 64, scale=0.2)),
    Case("causal", "causal, 70 queries and keys", heads(1, 1, 70, 70, 64, causal=True)),
    Case("cross", CROSS, heads(1, 1, 5, 90, 64, causal=True), ("cross",)),
    Case("fully-masked", UNSEEN, heads(1, 1, 90, 20, 64, causal=True), ("masked row",)),
    Case("rising", RISING, heads(1, 1, 20, 90, 64, profile=CLIMB), ("rising max",)),
    Case("falling", "the first 16 keys score 120 more than the rest", heads(1, 1, 20, 90, 64, profile=CLIFF)),
    Case("large-positive", LARGE, heads(1, 1, 20, 70, 64, level=np.linspace(150, 250, 20)), ("large positive",)),
    Case("very-negative", SMALL, heads(1, 1, 20, 70, 64, level=np.linspace(-150, -500, 20)), ("very negative",)),
    Case("wide-head", "d = 128, causal, 40 queries, 90 keys", heads(1, 1, 40, 90, 128, causal=True)),
    Case("counted", METERED, heads(1, 2, 200, 136, 64, causal=True), budget=True),
]


# What a call may move.


def all_heads(given: Arguments) -> int:
    return given["q"].shape[0] * given["q"].shape[1]


def keys_of_queries(given: Arguments) -> int:
    """How many keys all queries of a head see together."""
    n_q, n_k = given["q"].shape[2], given["k"].shape[2]
    if not given.get("causal"):
        return n_q * n_k
    return sum(max(0, i + 1 + n_k - n_q) for i in range(n_q))


def keys_of_tiles(given: Arguments, tile_m: int, tile_n: int) -> int:
    """The same for all tiles of tile_m queries, which read tiles of tile_n keys."""
    n_q, n_k = given["q"].shape[2], given["k"].shape[2]
    ends = [(t + 1) * tile_m + (n_k - n_q if given.get("causal") else n_k) for t in range(ceil(n_q / tile_m))]
    return sum(min(n_k, ceil(max(0, end) / tile_n) * tile_n) for end in ends)


def row_loads(given: Arguments) -> int:
    """BH (N_q d + 2 d * the keys that each query sees) elements."""
    n_q, d = given["q"].shape[2:]
    return given["q"].itemsize * all_heads(given) * d * (n_q + 2 * keys_of_queries(given))


def thread_loads(given: Arguments) -> int:
    """128 ceil(N_q / 128) queries, since threads past the end read one too; k and v once for each 128 of them."""
    n_q, d = given["q"].shape[2:]
    return given["q"].itemsize * all_heads(given) * d * (128 * ceil(n_q / 128) + 2 * keys_of_tiles(given, 128, 1))


def tile_loads(tile_m: int) -> Callable[[Arguments], int]:
    """The queries once; for each tile_m of them the tiles of 64 keys and values that one of them sees."""

    def loads(given: Arguments) -> int:
        n_q, d = given["q"].shape[2:]
        return given["q"].itemsize * all_heads(given) * d * (n_q + 2 * keys_of_tiles(given, tile_m, 64))

    return loads


def output_bytes(given: Arguments) -> int:
    return given["q"].nbytes + 4 * given["q"][..., 0].size


def register_sectors(given: Arguments) -> int:
    """Whole rows everywhere; every L has a request of its own, since the queries of a warp's halves lie 8 apart."""
    return (tile_loads(64)(given) + given["q"].nbytes) // 32 + given["q"][..., 0].size


def fragment_sectors(given: Arguments) -> int:
    """Of q and o a request takes 16 bytes of each of eight rows, half a sector; k, v and L are moved whole."""
    q = given["q"].nbytes // 32
    lse = all_heads(given) * ceil(given["q"].shape[2] / 8)  # eight rows a request
    return tile_loads(64)(given) // 32 + 3 * q + lse


def copied_sectors(given: Arguments) -> int:
    """As before, with the queries copied like a tile of keys."""
    q = given["q"].nbytes // 32
    lse = all_heads(given) * ceil(given["q"].shape[2] / 8)
    return tile_loads(128)(given) // 32 + 2 * q + lse


def none(given: Arguments) -> int:
    return 0


NO_CONFLICTS = "different banks for all lanes"
TILE_TRAFFIC = "q once; for each {} queries the tiles of k and v that one of them sees; o and L once"

BY_ROWS = Budget(
    loads=row_loads,
    stores=output_bytes,
    traffic_is="q once, k and v once for each query that sees them; o and L once",
)
BY_TILES = Budget(
    loads=thread_loads,
    stores=output_bytes,
    traffic_is="q once by each thread; for each 128 queries the k and v that one of them sees; o and L once",
    conflicts=none,
    conflicts_are=NO_CONFLICTS,
)
BY_REGISTERS = Budget(
    loads=tile_loads(64),
    stores=output_bytes,
    traffic_is=TILE_TRAFFIC.format(64),
    sectors=register_sectors,
    sectors_are="those of the bytes, and one for every L",
    conflicts=none,
    conflicts_are=NO_CONFLICTS,
)
BY_FRAGMENTS = Budget(
    loads=tile_loads(64),
    stores=output_bytes,
    traffic_is=TILE_TRAFFIC.format(64),
    sectors=fragment_sectors,
    sectors_are="those of the bytes, twice for q and o, of which a request takes half sectors",
    conflicts=none,
    conflicts_are=NO_CONFLICTS,
)
BY_COPIES = Budget(
    loads=tile_loads(128),
    stores=output_bytes,
    traffic_is=TILE_TRAFFIC.format(128),
    sectors=copied_sectors,
    sectors_are="those of the bytes, twice for o, of which a request takes half sectors",
    conflicts=none,
    conflicts_are=NO_CONFLICTS,
)


# Mistakes that several kernels share.


def not_rescaled(l: tuple[str, str], acc: tuple[str, str]) -> list[Mutant]:
    """Each the text of the update and what it becomes."""
    return [
        Mutant(
            "the denominator l is not rescaled when the running max grows",
            old=l[0],
            new=l[1],
            killed_by="rising",
            hint=2,
        ),
        Mutant(
            "the accumulator is not rescaled when the running max grows",
            old=acc[0],
            new=acc[1],
            killed_by="rising",
            hint=2,
        ),
    ]


def empty_rows(shift: str = "m_new == -INFINITY ? 0.0f : m_new") -> list[Mutant]:
    """Of what is subtracted in a tile."""
    return [
        Mutant(
            "a row of -inf computes -inf - (-inf), which is NaN",
            old=shift,
            new="m_new",
            killed_by="fully-masked",
            hint=2,
        ),
        Mutant(
            "the maximum is not subtracted before the exponential",
            old=shift,
            new="0.0f",
            killed_by="large-positive",
            hint=1,
        ),
    ]


def tile_replaces(old: str, new: str) -> Mutant:
    return Mutant(
        "the maximum of the tile replaces the running max, which may then fall",
        old=old,
        new=new,
        killed_by="falling",
        hint=2,
    )


ROWS_MUTANTS = [
    *not_rescaled(("l = alpha * l + p", "l += p"), ("acc[c] = alpha * acc[c] + p", "acc[c] = acc[c] + p")),
    Mutant(
        "the running max is left out: the exponentials are taken of the scores as they are",
        old="const float m_new = fmaxf(m, s);",
        new="const float m_new = 0.0f;",
        killed_by="large-positive",
        hint=1,
    ),
    Mutant(
        "the newest score replaces the running max, which may then fall",
        old="const float m_new = fmaxf(m, s);",
        new="const float m_new = s;",
        killed_by="falling",
        hint=2,
    ),
    Mutant("the scores are not scaled", old="        s *= scale;\n", new="", killed_by="plain", hint=2),
    Mutant("the scores are scaled twice", old="s *= scale;", new="s *= scale * scale;", killed_by="plain", hint=2),
    Mutant("the last key is left out", old="j <= last", new="j < last", killed_by="plain", hint=2),
    Mutant("the first key is left out", old="int j = 0; j <= last", new="int j = 1; j <= last", killed_by="plain"),
    Mutant(
        "every query sees every key: the causal mask is ignored",
        old="j <= last",
        new="j < n_k",
        killed_by="causal",
        hint=2,
    ),
    Mutant(
        "the mask is aligned at the top left, so that query i sees the keys up to i",
        old="j <= last",
        new="j <= (causal ? min(row, n_k - 1) : last)",
        killed_by="cross",
        hint=2,
    ),
    Mutant(
        "every key brings the values of the first one",
        old="to_float(v[j * D + c])",
        new="to_float(v[c])",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the keys are read as if they lay in columns",
        old="to_float(k[j * D + c])",
        new="to_float(k[c * n_k + j])",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the factor is upside down: e^(m' - m) instead of e^(m - m')",
        old="expf(m - m_new)",
        new="(m == -INFINITY ? 0.0f : expf(m_new - m))",
        killed_by="rising",
        hint=2,
    ),
    Mutant(
        "the exponentials are to base 2 instead of base e",
        old="const float alpha = expf(m - m_new);\n        const float p = expf(s - m_new);",
        new="const float alpha = exp2f(m - m_new);\n        const float p = exp2f(s - m_new);",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the output is not divided by the denominator",
        old="to_element(acc[c] * inverse)",
        new="to_element(acc[c])",
        killed_by="plain",
        hint=1,
    ),
    Mutant(
        "a query that sees no key divides 0 by 0",
        old="l > 0.0f ? 1.0f / l : 0.0f",
        new="1.0f / l",
        killed_by="fully-masked",
        hint=2,
    ),
    Mutant("L is the running max alone", old="m + logf(l)", new="m", killed_by="plain", hint=2),
    Mutant("L is a logarithm to base 2", old="m + logf(l)", new="m + log2f(l)", killed_by="plain", hint=2),
    Mutant(
        "the query is read from memory again for every key",
        old="to_float(query[c]) *",
        new="to_float(q[row * D + c]) *",
        killed_by="counted",
        hint=1,
    ),
]

TILES_MUTANTS = [
    Mutant(
        "nothing keeps a fast thread from loading the next tiles over those that others still read",
        old="        __syncthreads();  // all have read the tiles before\n",
        new="",
        killed_by="ragged",
        hint=2,
    ),
    Mutant(
        "nothing makes the threads wait until the tiles are there",
        old="        __syncthreads();  // the tiles are there\n",
        new="",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "only the threads of one warp wait for each other",
        old="__syncthreads();  // the tiles are there",
        new="__syncwarp();  // the tiles are there",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the last tile is loaded whole, past the end of the keys",
        old="i < keys * D",
        new="i < TILE_N * D",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "threads that have no query do not help to load, so that their part of the tiles is missing",
        old="for (int i = 8 * threadIdx.x",
        new="if (row < n_q) for (int i = 8 * threadIdx.x",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "every tile of keys is the first one",
        old="= *(const uint4*)&k[start * D + i]",
        new="= *(const uint4*)&k[i]",
        killed_by="ragged",
        hint=2,
    ),
    Mutant(
        "every tile of keys meets the values of the first tile",
        old="= *(const uint4*)&v[start * D + i]",
        new="= *(const uint4*)&v[i]",
        killed_by="ragged",
        hint=2,
    ),
    Mutant(
        "the places of the tile that hold no key are counted too",
        old="for (int j = 0; j < keys; ++j) {\n            float s",
        new="for (int j = 0; j < TILE_N; ++j) {\n            float s",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the mask compares the place in the tile, not the number of the key",
        old="start + j <= last",
        new="j <= last",
        killed_by="causal",
        hint=2,
    ),
    Mutant(
        "the last key that a query sees is masked", old="start + j <= last", new="start + j < last", killed_by="plain"
    ),
    Mutant("the scores are not scaled", old="? s * scale :", new="? s :", killed_by="plain", hint=2),
    Mutant("the scores are scaled twice", old="? s * scale :", new="? s * scale * scale :", killed_by="plain", hint=2),
    tile_replaces("float m_new = m;", "float m_new = -INFINITY;"),
    *empty_rows(),
    *not_rescaled(("        l *= alpha;\n", ""), ("acc[c] *= alpha;", "acc[c] *= 1.0f;")),
    Mutant(
        "all threads keep their scores in the column of thread 0",
        old="s_tile[j][threadIdx.x] = s;",
        new="s_tile[j][0] = s;",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the weights meet the keys in place of the values",
        old="p * to_float(v_tile[j][c])",
        new="p * to_float(k_tile[j][c])",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the keys are read from main memory, by every thread for itself",
        old="to_float(k_tile[j][c])",
        new="to_float(k[(start + j) * D + c])",
        killed_by="counted",
        hint=1,
    ),
]

REGISTERS_MUTANTS = [
    Mutant(
        "the last of four columns is left out of the products",
        old="a[i].z * b[j].z + a[i].w * b[j].w",
        new="a[i].z * b[j].z",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "a thread's keys are four neighbours, not every sixteenth",
        old="k_tile[(x + 16 * j) * STRIDE + c]",
        new="k_tile[(4 * x + j) * STRIDE + c]",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "a thread's queries are every eighth, not eight neighbours",
        old="q_tile[(8 * y + i) * STRIDE + c]",
        new="q_tile[(y + 8 * i) * STRIDE + c]",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the maximum is taken over the thread's own four keys alone",
        old="                m_new = fmaxf(m_new, __shfl_xor_sync(0xffffffff, m_new, step));\n",
        new="",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the sum is taken over the thread's own four keys alone",
        old="                sum += __shfl_xor_sync(0xffffffff, sum, step);\n",
        new="",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the maximum is merged over all 32 lanes, which are two queries",
        old="step = 8; step > 0; step /= 2) {\n                m_new",
        new="step = 16; step > 0; step /= 2) {\n                m_new",
        killed_by="very-negative",
        hint=2,
    ),
    Mutant(
        "the sum is merged over all 32 lanes, which are two queries",
        old="step = 8; step > 0; step /= 2) {\n                sum",
        new="step = 16; step > 0; step /= 2) {\n                sum",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the sums of neighbouring lanes are not merged",
        old="step > 0; step /= 2) {\n                sum",
        new="step > 1; step /= 2) {\n                sum",
        killed_by="plain",
        hint=2,
    ),
    tile_replaces("            m_new = fmaxf(m[i], m_new);\n", ""),
    *empty_rows(),
    *not_rescaled(("l[i] = alpha * l[i] + sum", "l[i] = l[i] + sum"), ("acc[i][c] *= alpha;", "acc[i][c] *= 1.0f;")),
    Mutant(
        "the probabilities are read as if a query's lay in a row",
        old="&p_tile[j * P_STRIDE + 8 * y]",
        new="&p_tile[8 * y * P_STRIDE + j]",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "only half of the tile's values are added up",
        old="for (int j = 0; j < TILE; ++j)",
        new="for (int j = 0; j < TILE / 2; ++j)",
        killed_by="ragged",
        hint=2,
    ),
    Mutant(
        "the third of four columns gets the values of the second",
        old="acc[i][c + 2] += p[i] * b.z;",
        new="acc[i][c + 2] += p[i] * b.y;",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "where d is 128, both halves of the output are made of the first 64 columns",
        old="v_tile[j * STRIDE + 4 * x + 16 * c]",
        new="v_tile[j * STRIDE + 4 * x]",
        killed_by="wide-head",
        hint=2,
    ),
    Mutant(
        "the queries are read from main memory for every tile",
        old="a[i] = *(float4*)&q_tile[(8 * y + i) * STRIDE + c];",
        new="{\n                const int at = min(row + i, n_q - 1) * D + c;\n"
        "                a[i] = {to_float(q[at]), to_float(q[at + 1]), to_float(q[at + 2]), to_float(q[at + 3])};\n"
        "            }",
        killed_by="counted",
        hint=1,
    ),
]

MMA_MUTANTS = [
    Mutant(
        "the lane's key is number t of eight, not number g",
        old="&k_tile[8 * j + g][16 * c + 2 * t]",
        new="&k_tile[8 * j + t][16 * c + 2 * t]",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the second half of a lane's key begins two columns on, not eight",
        old="*(unsigned*)&key[8]",
        new="*(unsigned*)&key[2]",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the two halves of a lane's key are swapped",
        old="{*(unsigned*)&key[0], *(unsigned*)&key[8]}",
        new="{*(unsigned*)&key[8], *(unsigned*)&key[0]}",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "all columns of the keys meet the first 16 columns of the queries",
        old="mma_m16n8k16(s[j], a[c],",
        new="mma_m16n8k16(s[j], a[0],",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the maximum is taken over a lane's own columns alone",
        old="            m_new = fmaxf(m_new, __shfl_xor_sync(0xffffffff, m_new, 1));\n"
        "            m_new = fmaxf(m_new, __shfl_xor_sync(0xffffffff, m_new, 2));\n",
        new="",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the exponentials of both rows of a lane are mixed up",
        old="for (int i = 2 * h; i < 2 * h + 2; ++i)",
        new="for (int i = h; i < 4; i += 2)",
        killed_by="plain",
        hint=2,
    ),
    tile_replaces("m_new = fmaxf(m[h], m_new * scale_2);", "m_new = m_new * scale_2;"),
    Mutant(
        "the running max is that of the scores, while the exponents hold them times scale log2(e)",
        old="fmaxf(m[h], m_new * scale_2)",
        new="fmaxf(m[h], m_new)",
        killed_by="large-positive",
        hint=2,
    ),
    *empty_rows(),
    Mutant(
        "the exponentials are to base e, while the scores are in units of base 2",
        old="const float alpha = exp2f(m[h] - shift);",
        new="#define exp2f expf\n            const float alpha = exp2f(m[h] - shift);",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the scores are not scaled in the exponent",
        old="exp2f(s[j][i] * scale_2 - shift)",
        new="exp2f(s[j][i] - shift)",
        killed_by="plain",
        hint=2,
    ),
    *not_rescaled(("            l[h] *= alpha;\n", ""), ("acc[c][2 * h] *= alpha;", "acc[c][2 * h] *= 1.0f;")),
    Mutant(
        "of the accumulator only the even columns are rescaled",
        old="                acc[c][2 * h + 1] *= alpha;\n",
        new="",
        killed_by="rising",
        hint=2,
    ),
    Mutant(
        "two neighbouring probabilities are packed in the wrong order",
        old="pack(left[0], left[1])",
        new="pack(left[1], left[0])",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "row g + 8 of the first eight keys and row g of the next eight have changed places",
        old="pack(left[2], left[3]),\n                                   pack(right[0], right[1])",
        new="pack(right[0], right[1]),\n                                   pack(left[2], left[3])",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the two keys of a pair of values are swapped",
        old="v_tile[key][column] | (unsigned)v_tile[key + 1][column] << 16",
        new="v_tile[key + 1][column] | (unsigned)v_tile[key][column] << 16",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "a pair of values is two columns of one key, not two keys of one column",
        old="(unsigned)v_tile[key + 1][column] << 16",
        new="(unsigned)v_tile[key][(column + 1) % D] << 16",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the second pair of values begins one key on, not eight",
        old="pair(16 * j + 2 * t + 8)",
        new="pair(16 * j + 2 * t + 1)",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the lanes' parts of the denominator are not merged at the end",
        old="        l[h] += __shfl_xor_sync(0xffffffff, l[h], 1);\n"
        "        l[h] += __shfl_xor_sync(0xffffffff, l[h], 2);\n",
        new="",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "L is left in units of base 2",
        old="(m[h] + log2f(l[h])) * 0.6931471805599453f",
        new="m[h] + log2f(l[h])",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "L adds a natural logarithm to a maximum in units of base 2",
        old="(m[h] + log2f(l[h])) * 0.6931471805599453f",
        new="m[h] + logf(l[h])",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "all four lanes of a row store its L",
        old="if (t == 0) L[query]",
        new="L[query]",
        killed_by="counted",
        hint=2,
    ),
]

ASYNC_MUTANTS = [
    Mutant(
        "the chunks of a row lie in order, so that eight rows' chunks share four banks",
        old="(chunk ^ row % 8) * 8",
        new="chunk * 8",
        killed_by="counted",
        hint=1,
    ),
    Mutant(
        "the chunks are swapped by row % 4 only, so that two of eight rows share their banks",
        old="(chunk ^ row % 8) * 8",
        new="(chunk ^ row % 4) * 8",
        killed_by="counted",
        hint=2,
    ),
    Mutant(
        "the chunks are rotated, not swapped: an address cannot be stepped by ^ 16 c any more",
        old="(chunk ^ row % 8) * 8",
        new="(chunk + row) % 8 * 8",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "an address of the keys is stepped by + 16 c, although the chunks are swapped",
        old="(k_at ^ 16 * c)",
        new="(k_at + 16 * c)",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the addresses of the keys follow the pattern of the values",
        old="place(lane / 16 * 8 + lane % 8, lane / 8 % 2)",
        new="place(lane % 16, lane / 16)",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the addresses of the values follow the pattern of the keys",
        old="v_at = place(lane % 16, lane / 16)",
        new="v_at = place(lane / 16 * 8 + lane % 8, lane / 8 % 2)",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "nothing waits for the copies",
        old="        cp_async_wait<0>();\n",
        new="",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the wait allows one group to be under way, and that is the one that is needed",
        old="cp_async_wait<0>()",
        new="cp_async_wait<1>()",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "each thread waits for its own copies, and nobody for those of the others",
        old="        __syncthreads();  // this stage's tiles are there, and all have read the other's\n",
        new="",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the barrier comes before the wait, so that the others' copies may still be under way",
        old="cp_async_wait<0>();\n"
        "        __syncthreads();  // this stage's tiles are there, and all have read the other's",
        new="__syncthreads();\n        cp_async_wait<0>();",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "the next keys are copied over the keys of the stage that others still read",
        old="start_tile(stages + stage * 2 * TILE, k,",
        new="start_tile(stages + (1 - stage) * 2 * TILE, k,",
        killed_by="ragged",
        hint=2,
    ),
    Mutant(
        "the next values are copied over the values that are still to be read",
        old="start_tile(stages + stage * 2 * TILE + TILE, v,",
        new="start_tile(stages + (1 - stage) * 2 * TILE + TILE, v,",
        killed_by="ragged",
        hint=2,
    ),
    Mutant(
        "the next keys are this tile's once more",
        old="k, start + TILE_N, TILE_N, n_k)",
        new="k, start, TILE_N, n_k)",
        killed_by="ragged",
        hint=2,
    ),
    Mutant(
        "the next values are this tile's once more",
        old="v, start + TILE_N, TILE_N, n_k)",
        new="v, start, TILE_N, n_k)",
        killed_by="ragged",
        hint=2,
    ),
    Mutant(
        "the copies of the next tiles are in no group, so that no wait counts them",
        old="start + TILE_N, TILE_N, n_k);\n            cp_async_commit();",
        new="start + TILE_N, TILE_N, n_k);",
        killed_by="ragged",
        hint=2,
    ),
    Mutant(
        "tiles that nobody sees are copied all the same",
        old="if (start + TILE_N < seen_by_any) {",
        new="{",
        killed_by="counted",
        hint=2,
    ),
    Mutant(
        "every sixteen keys are those of half as far into the tile",
        old="k_tile + 16 * j * D",
        new="k_tile + 8 * j * D",
        killed_by="ragged",
        hint=2,
    ),
    Mutant(
        "the values are not transposed on their way into registers",
        old="ldmatrix_x4_trans(b,",
        new="ldmatrix_x4(b,",
        killed_by="plain",
        hint=2,
    ),
    Mutant(
        "both fragments hold the scores of the first 16 queries",
        old="mma_m16n8k16(s[f][2 * j], a[f],",
        new="mma_m16n8k16(s[f][2 * j], a[0],",
        killed_by="ragged",
        hint=2,
    ),
    Mutant(
        "the output's two fragments of eight columns have changed places",
        old="mma_m16n8k16(acc[f][2 * c], p[f], {b[0], b[1]});\n"
        "                    mma_m16n8k16(acc[f][2 * c + 1], p[f], {b[2], b[3]});",
        new="mma_m16n8k16(acc[f][2 * c], p[f], {b[2], b[3]});\n"
        "                    mma_m16n8k16(acc[f][2 * c + 1], p[f], {b[0], b[1]});",
        killed_by="plain",
        hint=2,
    ),
]


EXERCISES = [
    Exercise(
        function=cuda_flash_forward.flash_rows,
        oracle=with_lse,
        outputs=OUTPUTS,
        backend="cuda",
        builds=({"D": 64}, {"D": 128}),
        points=2,
        cases=CASES,
        budget=BY_ROWS,
        without=WITHOUT,
        mutants=ROWS_MUTANTS,
        hints=[
            "It is the online softmax of lesson 02, with a row of numbers for acc: one loop over the keys from 0 to "
            "`last`. For each key the score, the new maximum, and both sums measured from it.",
            "With m' = max(m, s), alpha = e^(m - m') and p = e^(s - m'): l becomes alpha l + p, and every acc[c] "
            "becomes alpha acc[c] + p v[j][c]. Element c of key j is k[j * D + c]. Sum s in float, and multiply it by "
            "scale when it is complete. At the end divide by l, or give 0 where l is 0; L = m + log(l).",
            "Scores 1 and 3, values 10 and 20. First key: m = 1, alpha = e^(-inf) = 0, p = 1, l = 1, acc = 10. Second: "
            "m' = 3, alpha = e^-2 = 0.135, p = 1, l = 1.135, acc = 1.353 + 20 = 21.353. o = 21.353 / 1.135 = 18.81, "
            "L = 3 + log(1.135) = 3.127.",
        ],
    ),
    Exercise(
        function=cuda_flash_forward.flash_tiles,
        oracle=with_lse,
        outputs=OUTPUTS,
        backend="cuda",
        builds=({"D": 64, "TILE_M": 128, "TILE_N": 32}, {"D": 128, "TILE_M": 128, "TILE_N": 32}),
        points=3,
        cases=CASES,
        budget=BY_TILES,
        without=WITHOUT,
        mutants=TILES_MUTANTS,
        hints=[
            "First all threads of the block carry `keys` rows of K and of V into shared memory together, then every "
            "thread works on the whole tile for its own query. Before and after the loading all have to meet.",
            "Loading: the tile's rows lie one behind the other in memory, keys * D elements from k + start * D on. "
            "Thread t takes the eight from 8 t on, then those 8 * TILE_M further, and so on; element i belongs to row "
            "i / D, column i % D. Computing: a first loop over the tile's keys for the scores, masked ones -INFINITY, "
            "and their maximum together with m; then alpha once for l and acc; a second loop for p, l and acc. If the "
            "maximum is still -INFINITY, subtract 0.",
            "D = 64, 10 keys: 640 elements, 80 chunks of eight; threads 0 to 79 copy one each. Thread 9 has i = 72: "
            "row 1, columns 8 to 15. Causal, last = 33, the tile that starts at 32: keys 32 and 33 are scored, 34 to "
            "63 get -INFINITY and p = 0.",
        ],
    ),
    Exercise(
        function=cuda_flash_forward.flash_registers,
        oracle=with_lse,
        outputs=OUTPUTS,
        backend="cuda",
        builds=({"D": 64}, {"D": 128}),
        points=3,
        cases=CASES,
        budget=BY_REGISTERS,
        without=WITHOUT,
        mutants=REGISTERS_MUTANTS,
        hints=[
            "Three holes, three parts: S = Q K^T with 8 x 4 sums in registers; the softmax of a row whose scores lie "
            "in 16 threads; acc += P V with 8 x D/16 sums in registers.",
            "Row r, column c of a tile is tile[r * STRIDE + c]; *(float4*)& reads four columns. This thread's queries "
            "are rows 8 y + i, its keys rows x + 16 j. The 16 threads of a row are half a warp: __shfl_xor_sync with "
            "8, 4, 2, 1. In P V key j has the probabilities of queries 8 y to 8 y + 7 at p_tile[j * P_STRIDE + 8 * y], "
            "and this thread's columns 4 x + 16 c to 4 x + 16 c + 3 of v_tile, c = 0 (and 4 if D is 128), go to "
            "acc[i][c] to acc[i][c + 3].",
            "Thread 37: x = 5, y = 2. Queries 16 to 23 of the tile; keys 5, 21, 37, 53; 32 scores. Its partners for "
            "query 16 are threads 32 to 47: 37 ^ 8 = 45, 37 ^ 4 = 33, 37 ^ 2 = 39, 37 ^ 1 = 36. Of the output it has "
            "columns 20 to 23.",
        ],
    ),
    Exercise(
        function=cuda_flash_forward.flash_mma,
        oracle=with_lse,
        outputs=OUTPUTS,
        backend="cuda",
        builds=({"D": 64, "TILE_M": 64, "TILE_N": 64}, {"D": 128, "TILE_M": 64, "TILE_N": 64}),
        points=4,
        cases=CASES,
        budget=BY_FRAGMENTS,
        without=WITHOUT,
        mutants=MMA_MUTANTS,
        hints=[
            "Every product is the figure of the fragments: what this lane has to put into b is a pair of neighbours "
            "along the axis that is summed over. In S = Q K^T that axis is the columns of a key, in P V the keys.",
            "Scores: fragment j, eight keys; this lane's key is 8 j + g, its columns 16 c + 2t, + 1 and, 8 further on, "
            "16 c + 2t + 8, + 9: two 32-bit reads. Softmax: of every s[j] numbers 2h and 2h + 1 are of row g + 8h; the "
            "rest of that row is in the lanes that differ in t, so shuffle by 1 and 2, the maximum at once, l at the "
            "end. P V: s[2j] and s[2j + 1], packed in pairs, are the four registers of a; a register of b is two keys "
            "of column 8 c + g, the lower key in the lower half.",
            "Lane 13: g = 3, t = 1. It holds scores of rows 3 and 11, of keys 2, 3, 10, 11, 18, 19, ... For s[1] it "
            "gives columns 2, 3 and 10, 11 of key 11. For acc[2] it gives column 19 of keys 2, 3 and of keys 10, 11. "
            "Its partners in row 3 are lanes 12, 14 and 15.",
        ],
    ),
    Exercise(
        function=cuda_flash_forward.flash_async,
        oracle=with_lse,
        outputs=OUTPUTS,
        backend="cuda",
        builds=({"D": 64, "TILE_M": 128, "TILE_N": 64}, {"D": 128, "TILE_M": 128, "TILE_N": 64}),
        points=4,
        cases=CASES,
        budget=BY_COPIES,
        without=WITHOUT,
        mutants=ASYNC_MUTANTS,
        hints=[
            "Three things are new and can be thought of one by one: where a chunk lies (place), which row a lane names "
            "to ldmatrix (k_at, v_at), and when the next tiles are asked for (after S, into the stage that nobody "
            "reads any more).",
            "place: row r begins at r * D; chunk c stands at place c ^ r % 8 of it. ldmatrix: lane i names row i % 8 "
            "of small matrix i / 8. For the keys the four are: keys 0-7 columns 0-7, keys 0-7 columns 8-15, keys 8-15 "
            "columns 0-7, keys 8-15 columns 8-15; for the values keys 0-7 and 8-15 of columns 0-7, then of columns "
            "8-15, transposed. Waiting: first each thread for its own copies, cp_async_wait<0>, then all for all.",
            "Row 5, chunk 2: 2 ^ 5 = 7, so it lies at 5 D + 56. Lane 21 names, for the keys, matrix 2, row 5: key 13, "
            "chunk 0, at place 0 ^ 5 = 5; for the values key 5, chunk 1, at place 1 ^ 5 = 4. At c = 2 the key's chunk "
            "is 4: 4 ^ 5 = 1, and indeed (5 * 8) ^ (16 * 2) = 40 ^ 32 = 8.",
        ],
    ),
]

QUESTIONS = [
    Question(
        name="gigabytes_by_rows",
        ask="One head, N = 4096 queries and keys, d = 64, fp16: how many gigabytes (10^9 bytes) do the threads of "
        "flash_rows ask main memory for?",
        answer=4.295,
        rel=0.01,
        why="Each of the 4096 queries reads 4096 keys and values of 64 numbers of 2 bytes: 4096 * 4096 * 2 * 64 * 2 = "
        "4.295e9 bytes, beside which Q itself, 0.0005 GB, does not count. K and V together have 0.001 GB.",
        unit="GB",
    ),
    Question(
        name="tiles_at_128",
        ask="At d = 64 flash_tiles is 2.4 times as fast as flash_rows on the H200. How many times as fast is it at "
        "d = 128?",
        answer=0.98,
        rel=0.1,
        why="4.29 against 4.37 TFLOP/s: it gains nothing. A query and its accumulator are 256 numbers at d = 128, and "
        "a thread has 255 registers. What does not fit is spilled, in every round of the loop.",
        unit="times",
    ),
    Question(
        name="products_per_number",
        ask="A thread reads one column of eight queries and of four keys, and multiplies each of the eight with each "
        "of the four. How many multiplications is that for each number read?",
        answer=2.667,
        rel=0.01,
        why="8 * 4 = 32 products of 8 + 4 = 12 numbers: 2.67, where the kernel before it had one for each number of "
        "the tile.",
        unit="products a number",
    ),
    Question(
        name="mma_per_tile",
        ask="How many mma_m16n8k16 does a warp with 16 queries need for the scores of a tile of 64 keys, at d = 64?",
        answer=32,
        rel=0,
        why="One does 8 keys and 16 columns: 64 / 8 = 8 fragments of keys, each in 64 / 16 = 4 steps along the "
        "columns, are 32. Ordinary multiply-adds would be 16 * 64 * 64 / 32 = 2048 instructions.",
        unit="instructions",
    ),
    Question(
        name="passes_in_order",
        ask="Rows of 64 elements (128 bytes) follow each other without a gap. In how many passes are the same 16 bytes "
        "of eight consecutive rows read?",
        answer=8,
        rel=0,
        why="128 bytes are one word in each of the 32 banks, so the same place of every row lies in the same four "
        "banks. They hand out one row's chunk in a pass: 8 passes, where one would do.",
        unit="passes",
    ),
    Question(
        name="shared_kib",
        ask="128 queries and two stages of 64 keys and 64 values, d = 128, 2 bytes a number: how many KiB (of 1024 "
        "bytes) of shared memory does a block of flash_async take?",
        answer=96,
        rel=0,
        why="(128 + 2 * 2 * 64) rows of 128 numbers of 2 bytes are 384 * 256 = 98,304 bytes, 96 KiB.",
        unit="KiB",
    ),
]
