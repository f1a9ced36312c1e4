"""The parts of a Llama layer: RMSNorm, rotary positions, SwiGLU, attention; and the loss of the next token."""

import math
from functools import partial

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from autograder.exercises.draws import drawn, metered, sized, swapped
from autograder.runner.arrays import Earlier
from autograder.runner.meters.spies import BY_NUMBERS, GIVEN
from autograder.spec.exercise import (
    NO_SOFTMAX,
    Arguments,
    Bound,
    Budget,
    Case,
    Exercise,
    Output,
    Quantity,
    Question,
    once,
)
from kernels import language_model
from kernels.oracles import language_model as right

NO_SCORES = dict.fromkeys(("rising max", "masked row"), NO_SOFTMAX)
ROW_BY_ROW = {
    "ragged": "nothing is cut into tiles",
    "cross": "there are no queries and keys here",
    "grouped": "there are no heads here",
}


# Inputs.


@drawn
def beside_an_outlier(rng: Generator, /) -> Arguments:
    """Rows of small numbers beside one that is as large as float16 holds, and weights that float16 does not hold."""
    x = rng.uniform(1, 4, (4, 64)) * rng.choice((-1, 1), (4, 64)) * 1e-3
    x[np.arange(4), rng.integers(64, size=4)] = 60_000
    weight = np.where(abs(x).max(axis=0) > 1, 0.01, rng.uniform(1, 4, 64) * 1e5)
    return {"x": x.astype(np.float16), "weight": weight.astype(np.float32), "eps": 1e-5}


@drawn
def rows(
    rng: Generator, /, *shape: int, spread: float = 3.0, level: float = 0.0, eps: float = 1e-5, dtype: str = "float32",
    moved: bool = False, empty: bool = False, between: bool = False,
) -> Arguments:  # fmt: skip
    """x of the shape, about spread * N(0, 1) + level, each row of another size; a weight for each column.

    empty: the first row is 0 throughout. between: the weights lie half-way between numbers of bfloat16.
    """
    sizes = 2.0 ** rng.integers(-2, 3, (*shape[:-1], 1))
    if empty:
        sizes[(0,) * (len(shape) - 1)] = 0
    x = (spread * sizes * rng.standard_normal(shape) + level).astype(dtype)
    weight = rng.uniform(0.5, 2, shape[-1]).astype(np.float32)
    if between:
        weight = (rng.integers(128, 256, shape[-1]) / 128 + 1 / 256).astype(np.float32)
    return {"x": swapped(x, 0, 1) if moved else x, "weight": weight, "eps": eps}


def frequencies_of(d: int, theta: float = 10000.0) -> np.ndarray:
    return (theta ** (-np.arange(0, d, 2) / d)).astype(np.float32)


@drawn
def at(
    rng: Generator, /, *shape: int, first: int = 0, step: int = 1, theta: float = 10000.0, shuffled: bool = False,
    spread: float = 1.0, dtype: str = "float32", moved: bool = False, any_frequencies: bool = False,
) -> Arguments:  # fmt: skip
    """x of the shape (..., N, d), the rows at positions first, first + step, ..., in this order or shuffled.

    any_frequencies: they are no powers of theta, and fall in no order.
    """
    x = (spread * rng.standard_normal(shape)).astype(dtype)
    positions = first + step * np.arange(shape[-2])
    return {
        "x": swapped(x) if moved else x,
        "positions": rng.permutation(positions) if shuffled else positions,
        "frequencies": rng.uniform(0.01, 1.5, shape[-1] // 2).astype(np.float32)
        if any_frequencies
        else frequencies_of(shape[-1], theta),
    }


def matrix(rng: Generator, *shape: int) -> np.ndarray:
    return (rng.standard_normal(shape) / math.sqrt(shape[-1])).astype(np.float32)


@drawn
def mlp(rng: Generator, /, *shape: int, hidden: int, spread: float = 2.0, moved: bool = False) -> Arguments:
    """x of the shape (..., D), and the matrices of a layer with `hidden` gates."""
    x, d = (spread * rng.standard_normal(shape)).astype(np.float32), shape[-1]
    gate, up, down = matrix(rng, hidden, d), matrix(rng, hidden, d), matrix(rng, d, hidden)
    weights = {"w_gate": gate, "w_up": up, "w_down": down}
    if moved:
        x, weights = swapped(x, 0, 1), {name: swapped(w, 0, 1) for name, w in weights.items()}
    return {"x": x} | weights


@drawn
def behind_shut_gates(rng: Generator, /) -> Arguments:
    """The last column of x, which is 1, puts the gates near -60; what they hold back is so large that what they let
    pass is no small number, of which a quarter would be allowed.
    """
    given = mlp(5, 8, hidden=12)(rng)
    given["x"][:, -1] = 1
    given["w_gate"][:, -1] -= 60
    return given | {"w_up": np.float32(1e25) * given["w_up"]}


@drawn
def layer(
    rng: Generator, /, b: int, n: int, width: int, heads: int, kv_heads: int, d: int, first: int = 0, step: int = 1,
    theta: float = 10000.0, biased: bool = False, score: float = 0.0, low: bool = False, moved: bool = False,
    earlier: int = 0,
) -> Arguments:  # fmt: skip
    """A layer with random matrices, and `earlier` tokens that `attend` holds.

    score: what every key adds to the scores of the last token, at the scale 1/sqrt(d). low: the same is taken from
    them. Made by the biases of the last pair, which hardly turns.
    """
    x = rng.standard_normal((b, n, width)).astype(np.float32)
    sizes = [(heads * d, width), (kv_heads * d, width), (kv_heads * d, width), (width, heads * d)]
    weights = [matrix(rng, *size) for size in sizes]
    weights[0] *= 2  # so that the softmax is not nearly even
    given: Arguments = {"x": swapped(x, 0, 1) if moved else x, "weights": weights, "d": d}
    given |= {"positions": first + step * np.arange(n), "frequencies": frequencies_of(d, theta)}
    if moved:
        given["weights"] = [swapped(w, 0, 1) for w in weights]
    if biased or score:
        biases = [rng.standard_normal(rows).astype(np.float32) for rows, _ in sizes[:3]]
        if score:
            biases[0].reshape(heads, d)[:, -1] = -score if low else score
            biases[1].reshape(kv_heads, d)[:, -1] = math.sqrt(d)
        given["biases"] = biases
    if earlier:
        given["attend"] = Earlier(rng.standard_normal((2, b, kv_heads, earlier, d)).astype(np.float32))
    return given


@drawn
def forecasts(
    rng: Generator, /, b: int, n: int, vocabulary: int, spread: float = 3.0, level: ArrayLike = 0.0,
    outlier: float = 0.0, moved: bool = False,
) -> Arguments:  # fmt: skip
    """Logits, about spread * N(0, 1) + level, one for all or one for each forecast, and tokens.

    outlier: added to one logit of each forecast.
    """
    logits = spread * rng.standard_normal((b, n, vocabulary)) + np.asarray(level)[..., None]
    if outlier:
        at = rng.integers(vocabulary, size=(b, n, 1))
        np.put_along_axis(logits, at, np.take_along_axis(logits, at, -1) + outlier, -1)
    logits = logits.astype(np.float32)
    tokens = rng.integers(vocabulary, size=(b, n))
    if b > 1:
        tokens[0, 1] = 0  # a token like all others
    return {"logits": swapped(logits, 0, 2) if moved else logits, "tokens": tokens}


# The situations.

OUTLIER = "float16: beside an outlier of 60,000 the rest is tiny, and weights of some 100,000 bring it back"
FLOAT16 = "float16, numbers up to some 1000, whose squares do not fit"
BFLOAT16_TOO = "bfloat16, whose squares fit, and whose sums of 64 do not come to 8 bits"
NORM_LARGE = "numbers of about 1e15: their squares fit into float32"
NORM = [
    Case("plain", "3 rows of 8 numbers", rows(3, 8)),
    Case("single", "one row of one number: what is left is its sign, times the weight", rows(1, 1)),
    Case("one-axis", "a single row, without an axis for rows", rows(9)),
    Case("batches", "a batch of 2 texts, 5 tokens each; the first token is 0 throughout", rows(2, 5, 16, empty=True)),
    Case("far-from-0", "rows whose mean is far from 0: it is not subtracted", rows(4, 16, level=20.0)),
    Case("large-eps", "eps = 0.5, beside rows that are small", rows(4, 16, spread=0.2, eps=0.5)),
    Case("tiny", "numbers of about 1e-4, whose squares are no larger than eps", rows(4, 16, spread=1e-4)),
    Case("large", NORM_LARGE, rows(4, 16, spread=1e15), ("large positive",)),
    Case("float16", FLOAT16, rows(4, 64, spread=200.0, dtype="float16")),
    Case("float16-outlier", OUTLIER, beside_an_outlier()),
    Case("bfloat16", BFLOAT16_TOO, rows(16, 64, spread=200.0, dtype="bfloat16", between=True)),
    Case("strided", "x is a transposed view", rows(4, 6, 16, moved=True)),
    metered("many-rows", "80 rows of 16: products are counted", rows(80, 16)),
]

ANY_FREQUENCIES = "frequencies that are no powers of a base, as where slow ones are stretched"
FAR = "positions from 300,000 on, as in long texts: angles of 300,000 radians"
ROTATED_FLOAT16 = "float16, positions from 3000 on: float16 does not hold them"
ROTATED_BFLOAT16 = "bfloat16, positions from 3001 on: bfloat16 does not hold them"
MANY_PAIRS = "40 tokens, each 499 after the one before, 32 pairs: products and memory are counted"
ROTATED = [
    Case("plain", "3 tokens from position 1 on, two pairs", at(3, 4, first=1)),
    Case("single", "one token at position 5, one pair", at(1, 2, first=5)),
    Case("position-0", "one token at position 0: nothing turns", at(2, 1, 8)),
    Case("heads", "2 texts with 3 heads, 5 tokens", at(2, 3, 5, 8)),
    Case("further-on", "the newest 4 tokens, at positions 37 to 40", at(2, 4, 16, first=37)),
    Case("gaps", "positions 3, 10, 17, ...: some lie between", at(2, 6, 16, first=3, step=7)),
    Case("shuffled", "positions in no order, as in a batch of many texts", at(2, 9, 16, first=2, shuffled=True)),
    Case("other-base", "frequencies of the base 500,000, as in Llama 3", at(2, 6, 16, first=9, theta=500000.0)),
    Case("any-frequencies", ANY_FREQUENCIES, at(2, 6, 16, first=9, any_frequencies=True)),
    Case("far", FAR, at(2, 4, 16, first=300_000), ("large positive",)),
    Case("float16", ROTATED_FLOAT16, at(2, 5, 32, first=3001, dtype="float16")),
    Case("bfloat16", ROTATED_BFLOAT16, at(2, 5, 32, first=3001, dtype="bfloat16")),
    Case("strided", "heads lie inside tokens, as the projections leave them", at(2, 3, 5, 8, first=4, moved=True)),
    metered("many-pairs", MANY_PAIRS, at(2, 3, 40, 64, first=2, step=499)),
]

WIDE_OPEN = "gates far from 0, open and shut"
MLP = [
    Case("plain", "3 tokens of width 4, 6 gates", mlp(3, 4, hidden=6)),
    Case("single", "one token of width 1, one gate", mlp(1, 1, hidden=1)),
    Case("held-back", "gates at -60, which let next to nothing pass, of numbers of about 1e25", behind_shut_gates()),
    Case("one-axis", "a single row, without an axis for rows, and fewer gates than columns", mlp(9, hidden=5)),
    Case("batches", "a batch of 2 texts", mlp(2, 5, 8, hidden=20)),
    Case("square", "as many gates as columns: a transposed matrix fits too", mlp(4, 8, hidden=8)),
    Case("wide-open", WIDE_OPEN, mlp(6, 8, hidden=12, spread=400.0), ("large positive", "very negative")),
    Case("nearly-shut", "gates near 0, where silu is half of a line", mlp(6, 8, hidden=12, spread=0.05)),
    Case("strided", "x and the matrices are transposed views", mlp(4, 6, 8, hidden=12, moved=True)),
    metered("many-tokens", "20 tokens of width 32, 48 gates: products are counted", mlp(20, 32, hidden=48)),
]

MANY = "memory: some 200 tokens, 8 query heads on 2 KV heads"
FEW = "products: some 15 tokens, as many KV heads as query heads: a fifth projection is too much"
EARLIER = "`attend` holds 5 earlier tokens, and the layer reads the next 3"
ONE_MORE = "one token is decoded after 9 that `attend` holds; 6 query heads on 2 KV heads"
ONE_TOKEN = "memory: one token after 9 that `attend` holds: a copy of the matrices is too much"
LARGE, SMALL = "the biases raise all scores by 200", "the biases put all scores 300 below 0"
OTHER_BASE = "frequencies of the base 1,000,000, every other position"
LAYER = [
    Case("plain", "5 tokens of width 8, 2 query heads on 1 KV head", layer(1, 5, 8, 2, 1, 4)),
    Case("single", "one token, one head", layer(1, 1, 4, 1, 1, 2)),
    Case("batches", "3 texts of 6 tokens, 4 query heads on 2 KV heads", layer(3, 6, 16, 4, 2, 8)),
    Case("grouped", "9 query heads on 3 KV heads, as in a real small model", layer(2, 6, 24, 9, 3, 4)),
    Case("mha", "as many KV heads as query heads", layer(1, 7, 12, 3, 3, 4)),
    Case("narrow-heads", "heads together are wider than the layer", layer(1, 5, 8, 4, 2, 8)),
    Case("biased", "queries, keys and values have biases, as in Qwen2", layer(2, 6, 16, 4, 2, 8, biased=True)),
    Case("further-on", "positions 1000 to 1007: only their differences matter", layer(1, 8, 16, 4, 2, 8, first=1000)),
    Case("gaps", "positions 3, 8, 13, ...: some lie between", layer(1, 8, 16, 4, 2, 8, first=3, step=5)),
    Case("other-base", OTHER_BASE, layer(1, 8, 16, 4, 2, 8, step=2, theta=1e6)),
    Case("large-positive", LARGE, layer(1, 8, 16, 4, 2, 8, score=200.0)),
    Case("very-negative", SMALL, layer(1, 8, 16, 4, 2, 8, score=300.0, low=True)),
    Case("strided", "x and the matrices are transposed views", layer(2, 6, 16, 4, 2, 8, moved=True)),
    Case("earlier", EARLIER, layer(2, 3, 16, 4, 2, 8, first=5, earlier=5, biased=True), ("cross",)),
    Case("one-more", ONE_MORE, layer(2, 1, 18, 6, 2, 4, first=9, earlier=9), ("grouped",)),
    metered("memory", MANY, sized(layer, 1, range(180, 220), 64, 8, 2, 16)),
    metered("few-tokens", FEW, sized(layer, 1, range(10, 20), 64, 8, 8, 16)),
    metered("one-token", ONE_TOKEN, layer(1, 1, 256, 8, 8, 16, first=9, earlier=9)),
]


def layer_memory(a: Arguments) -> int:
    """Ten times the rows of queries and keys, x four times, six times the scores of one head, and one of the matrices,
    which einsum may lay out anew.

    What `attend` holds is repeated for all query heads and joined, and all of their scores are there.
    """
    b, n, width = a["x"].shape
    w_q, w_k = a["weights"][:2]
    before = a["attend"][0].shape[2] if "attend" in a else 0
    there = 4 * before * (len(w_q) + len(w_k)) + 4 * len(w_q) // a["d"] * n * (before + n) * bool(before)
    return int(4 * b * (n * (4 * width + 10 * (len(w_q) + len(w_k)) + 6 * n) + there)) + 4 * int(w_q.size)


def each_row_alone(a: Arguments) -> int:
    """Of each number by itself, and by its row's factor times its column's weight: three rows that meet take more."""
    return 2 * int(a["x"].size)


def by_itself(a: Arguments) -> int:
    """Of each number by itself, in one product, and half as many again: two rows that meet take twice as many."""
    return 3 * int(a["x"].size) // 2


def each_pair_alone(a: Arguments) -> int:
    """Of each number by a sine and a cosine, and half as many again; of complex angles four for each."""
    return 3 * int(a["x"].size) + 4 * len(a["positions"]) * len(a["frequencies"])


def rows_and_angles(a: Arguments) -> int:
    """24 numbers for each number of x, 48 for each angle, and 4 kB."""
    return 96 * int(a["x"].size) + 192 * len(a["positions"]) * len(a["frequencies"]) + 4096


def three_matrices(a: Arguments) -> int:
    """Those of each token with the three matrices, and a 32nd more."""
    tokens = a["x"][..., 0].size
    return int(33 * tokens * (a["w_gate"].size + a["w_up"].size + a["w_down"].size) // 32)


def each_logit(a: Arguments) -> int:
    """Of each logit by itself, by a one-hot row or by ones, and as many again."""
    return 4 * int(a["logits"].size)


def logits_a_few_times(a: Arguments) -> int:
    """Ten numbers for each logit, and 4 kB."""
    return 40 * int(a["logits"].size) + 4096


def queries(a: Arguments) -> int:
    """How many numbers all queries have, and so the outputs of all heads."""
    return int(a["x"][..., 0].size * len(a["weights"][0]))


def queries_and_keys(a: Arguments) -> int:
    """Those of all keys, too: each is turned."""
    return queries(a) + int(a["x"][..., 0].size * len(a["weights"][1]))


def all_heads(a: Arguments) -> int:
    """Those of all values besides: what attention takes, each KV head once."""
    return 2 * queries_and_keys(a) - queries(a)


def products_once(a: Arguments) -> int:
    """Multiplications of the four projections and of attention over all scores, and a 32nd more."""
    rows, tokens, w_q, w_k = a["x"][..., 0].size, a["x"].shape[1], a["weights"][0], a["weights"][1]
    return 33 * rows * (2 * w_q.size + 2 * w_k.size + 2 * len(w_q) * tokens) // 32


LARGE_POSITIVE = "logits from 200 to 750, each forecast 50 above the one before: exp overflows"
SURE = "one logit of each forecast is 200 above the rest: who is wrong is wrong by 200"
LOSS = [
    Case("plain", "one text of 4 tokens, 5 in the vocabulary", forecasts(1, 4, 5)),
    Case("single", "2 tokens: one forecast", forecasts(1, 2, 3)),
    Case("batches", "3 texts of 7 tokens", forecasts(3, 7, 11)),
    Case("square", "as many tokens in a text as in the vocabulary, and as many texts", forecasts(6, 6, 6)),
    Case("large-positive", LARGE_POSITIVE, forecasts(2, 6, 9, level=200 + 50 * np.arange(12).reshape(2, 6))),
    Case("very-negative", "logits of about -500, where every exp is 0", forecasts(2, 6, 9, level=-500.0)),
    Case("sure", SURE, forecasts(2, 9, 9, outlier=200.0), ("large positive",)),
    Case("strided", "the logits are a transposed view", forecasts(3, 5, 7, moved=True)),
    metered("many-tokens", "a text of 24 tokens, 4 in the vocabulary: products are counted", forecasts(1, 24, 4)),
    metered("large-vocabulary", "memory: 20 tokens, 300 in the vocabulary", forecasts(1, 20, 300)),
]

exercise = partial(Exercise, backend="torch", outputs=(Output("y"),))
EXERCISES = [
    exercise(
        function=language_model.rotate,
        oracle=right.turned,
        points=3,
        cases=ROTATED,
        allowed=("tolist",),
        budget=Budget(
            memory=Bound(rows_and_angles, "96 bytes for each number of x, 192 for each angle, and 4 kB"),
            products=Bound(each_pair_alone, "3 for each number of x and 4 for each angle: pairs meet no other"),
        ),
        without=ROW_BY_ROW | NO_SCORES | {"very negative": "positions are not negative, and x may have any sign"},
    ),
    exercise(
        function=language_model.rms_norm,
        oracle=right.normalised,
        points=1,
        forbidden=(
            *("rms_norm", "layer_norm", "group_norm", "instance_norm", "batch_norm", "normalize"),
            *("autograd", "backward"),  # the gradient of a row's norm is the row, normalised
        ),
        cases=NORM,
        budget=Budget(
            rounded=Bound(lambda a: a["x"].size, "y alone, at the end"),
            products=Bound(each_row_alone, "2 for each number of x: no row meets another"),
            at_a_time=Bound(by_itself, "1.5 for each number of x: no row meets another"),
        ),
        without=ROW_BY_ROW | NO_SCORES | {"very negative": "squares do not know a sign"},
    ),
    exercise(
        function=language_model.swiglu,
        oracle=right.gated,
        points=1,
        forbidden=("silu", "glu"),
        cases=MLP,
        allowed=("tolist",),
        budget=Budget(products=Bound(three_matrices, "each token with each matrix, once, and a 32nd more")),
        without=ROW_BY_ROW | NO_SCORES,
    ),
    exercise(
        function=language_model.attention_layer,
        oracle=right.head_by_head,
        points=3,
        forbidden=("scaled_dot_product",),
        calls={
            "rotate": once,
            f"rotate{BY_NUMBERS}": queries_and_keys,
            "causal_attention": lambda a: 0 if "attend" in a else range(1, 2),
            f"causal_attention{BY_NUMBERS}": lambda a: 0 if "attend" in a else queries(a),
            f"causal_attention{GIVEN}": lambda a: 0 if "attend" in a else range(1, all_heads(a) + 1),
        },
        cases=LAYER,
        budget=Budget(
            memory=Bound(
                layer_memory,
                "4 bytes * (B N (4 D + 10 (H + H_kv) d + 6 N) + H d D): each row a few times, the scores of a head, "
                "and one matrix",
            ),
            products=Bound(products_once, "four projections and one attention over all scores, and a 32nd more"),
        ),
        without={
            "ragged": "nothing is cut into tiles",
            "rising max": "the softmax is in the attention that is given",
            "masked row": "every token sees itself, so no row is masked whole",
        },
    ),
    exercise(
        function=language_model.next_token_loss,
        oracle=right.surprise,
        outputs=(Output("loss", is_tensor=True),),
        points=2,
        forbidden=("cross_entropy", "nll_loss", "log_softmax"),
        cases=LOSS,
        allowed=("tolist",),
        budget=Budget(
            memory=Bound(logits_a_few_times, "40 bytes for each logit, and 4 kB"),
            products=Bound(each_logit, "4 for each logit"),
        ),
        without=ROW_BY_ROW | {"rising max": "a row is seen as a whole", "masked row": "every token may follow"},
    ),
]

SLOWEST = 2 * math.pi * 10000 ** (30 / 32)
QUESTIONS = [
    Question(
        name="slowest_pair",
        ask="Heads of width 32, base 10000: after how many tokens has the slowest pair turned once?",
        answer=Quantity(SLOWEST, "tokens", rel=0.05),
        why=f"Its frequency is 10000^(-30/32) = 1.78e-4 radians per token, and a turn is 2 pi: {SLOWEST:,.0f} tokens.",
    ),
    Question(
        name="untrained_loss",
        ask="A model with a vocabulary of 512 knows nothing, and gives every token the same logit. What is its loss, "
        "in nats?",
        answer=Quantity(math.log(512), "nats", rel=0.02),
        why="The log-sum-exp of 512 equal numbers z is z + log 512, so that each forecast costs log 512 = 6.24 nats.",
    ),
]
