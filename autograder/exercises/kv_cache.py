"""Lesson 14: attention over a cache of keys and values, the cache itself, its bytes and what it saves."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import ArrayLike
from torch import Tensor

from autograder.exercises.draws import swapped
from autograder.spec.exercise import Arguments, Budget, Case, Exercise, Mutant, Output, Question
from kernels import kv_cache, reference

Draw = Callable[[Generator], Arguments]

SIZES_ONLY = {
    "rising max": "sizes are counted here, and no score is computed",
    "large positive": "sizes are counted here, and no score is computed",
    "very negative": "sizes are counted here, and no score is computed",
    "masked row": "sizes are counted here, and no score is computed",
    "strided": "the arguments are single numbers",
    "ragged": "nothing is cut into tiles",
}
ONE_TEXT = {
    "ragged": "nothing is cut into tiles",
    "rising max": "a row of scores is seen at once",
    "masked row": "every token sees itself, so no row is masked whole",
    "grouped": "every head has its own keys until lesson 15",
}
STORED = {
    "ragged": "nothing is cut into tiles",
    "rising max": "keys and values are stored, and no score is computed",
    "large positive": "keys and values are stored, and no score is computed",
    "very negative": "keys and values are stored, and no score is computed",
    "masked row": "nothing is masked where keys and values are stored",
    "cross": "there are no queries here",
    "grouped": "a cache does not know how many query heads read it",
}
FORBIDDEN = ("scaled_dot_product",)


# What is right.


def every_pass(prompt: int, new: int, width: int) -> tuple[int, int]:
    """Token by token, each at the price of its position; read again in every pass, or in the first one only."""
    again = once = read = 0
    for length in range(prompt, prompt + new):
        tokens = [4 * 2 * width * width + 2 * 2 * position * width for position in range(1, length + 1)]
        again += sum(tokens)
        once += sum(tokens[read:])
        read = length
    return again, once


def over_the_filled(q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None) -> Tensor:
    return reference.attention(q, k_cache[..., :length, :], v_cache[..., :length, :], True, scale)[0]


class Tokens:
    """What a cache holds, as a list of tokens."""

    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.empty = torch.zeros(batch, heads, 0, d)
        self.capacity = capacity
        self.tokens: list[tuple[Tensor, Tensor]] = []

    def append(self, k: Tensor, v: Tensor) -> None:
        if len(self.tokens) + k.shape[2] > self.capacity:
            raise kv_cache.CacheFull
        self.tokens += [(k[:, :, i], v[:, :, i]) for i in range(k.shape[2])]

    def contents(self) -> tuple[Tensor, Tensor]:
        if not self.tokens:
            return self.empty, self.empty
        keys, values = zip(*self.tokens, strict=True)
        return torch.stack(keys, dim=2), torch.stack(values, dim=2)


def in_one_pass(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    """Attention of all tokens at once: where the prompt ends must not matter."""
    return reference.attention(q, k, v, True)[0]


def buffers(layers: int, heads: int, kv_heads: int, d: int, tokens: int, batch: int, itemsize: int) -> int:
    return itemsize * math.prod((2, layers, batch, kv_heads, tokens, d))


def look_at_the_mask(new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int) -> tuple[int, int]:
    """Count the ones in the mask: two products of width d for each, in each head."""
    seen = int(reference.causal_mask(new, length).sum())
    numbers = 2 * math.prod((heads, new, d)) + 2 * math.prod((kv_heads, length, d))
    return 2 * 2 * d * heads * seen, itemsize * numbers


# Inputs.


def numbers(**given: int) -> Draw:
    return lambda rng: dict(given)


def qkv(*shape: int, d: int = 16, d_v: int = 8, level: ArrayLike = 0.0) -> Callable[[Generator], dict[str, np.ndarray]]:
    """q (B, H, n, d), k (B, H, N, d), v (B, H, N, d_v) in float32, with shape = (B, H, n, N).

    The scores, at the scale 1/sqrt(d), are about 2 * N(0, 1) + level, which is a number or one for each query. q and k
    are multiples of 1/16, so that for a scale that is a power of two the scores are exact in any order of summation.
    """
    *bh, n, n_k = shape

    def draw(rng: Generator) -> dict[str, np.ndarray]:
        q, k = (np.round(16 * 1.5 * rng.standard_normal((*bh, rows, d))) / 16 for rows in (n, n_k))
        if np.any(level):
            q[..., -1], k[..., -1] = level, d**0.5
        v = rng.standard_normal((*bh, n_k, d_v)) + np.linspace(-2, 2, n_k)[:, None]  # the mean drifts along the keys
        return {name: x.astype(np.float32) for name, x in (("q", q), ("k", k), ("v", v))}

    return draw


def cache(b: int, h: int, n: int, length: int, capacity: int, rest: float = 9.0, scale=None, **kinds: Any) -> Draw:
    """The newest n of `length` tokens, and a cache whose other places hold leftovers: values raised by `rest`."""

    def draw(rng: Generator) -> Arguments:
        given = qkv(b, h, n, capacity, **kinds)(rng)
        k, v = given["k"], given["v"]
        v[:, :, length:] += np.float32(rest)
        if np.isnan(rest):
            k[:, :, length:] = np.nan
        arguments = {"q": given["q"], "k_cache": k, "v_cache": v, "length": length}
        return arguments if scale is None else arguments | {"scale": scale}

    return draw


def tokens_first(arguments: Arguments) -> Arguments:
    """The arrays as transposed views, (B, N, H, d) in memory."""
    return {name: swapped(x) if isinstance(x, np.ndarray) else x for name, x in arguments.items()}


def strided(draw: Draw) -> Draw:
    return lambda rng: tokens_first(draw(rng))


def text(b: int, h: int, n: int, prompt: int, d: int = 16, **kinds: Any) -> Draw:
    """A text of n tokens, of which the first `prompt` are read at once."""
    return lambda rng: qkv(b, h, n, n, d=d, d_v=d, **kinds)(rng) | {"prompt": prompt}


def appended(batch: int, heads: int, capacity: int, d: int, *counts: int, views: bool = False) -> Draw:
    """A new cache is looked at; then, for each count, so many tokens are appended and it is looked at again."""

    def draw(rng: Generator) -> Arguments:
        steps: list[tuple[str, Arguments]] = [("contents", {})]
        for n in counts:
            pair = (rng.standard_normal((batch, heads, n, d)).astype(np.float32) for _ in "kv")
            given = dict(zip("kv", pair, strict=True))
            steps += [("append", tokens_first(given) if views else given), ("contents", {})]
        init = {"batch": batch, "heads": heads, "capacity": capacity, "d": d}
        return {"init": init, "steps": steps}

    return draw


# The situations.


FLOPS = [
    Case("plain", "3 tokens given, 4 written, width 2", numbers(prompt=3, new=4, width=2)),
    Case("single", "1 token given, 1 written, width 1", numbers(prompt=1, new=1, width=1), ("single",)),
    Case("short-prompt", "1 token given, 64 written, width 32", numbers(prompt=1, new=64, width=32)),
    Case("one-written", "64 tokens given, 1 written, width 32", numbers(prompt=64, new=1, width=32)),
    Case("wide-model", "60 tokens given, 40 written, width 12288", numbers(prompt=60, new=40, width=12288)),
]

FIRST = "position 0: the first token, alone in its cache, d = 1"
SCALED = "the scale is given: 0.125, not 1/sqrt(16)"
LARGE = "scores from 150 to 250, where exp overflows"
SMALL = "scores from -500 to -150, where every exp is 0"

UP, DOWN = np.linspace(150, 250, 5), np.linspace(-150, -500, 5)

CACHED = [
    Case("plain", "the newest of 6 tokens, in a cache for 9", cache(1, 1, 1, 6, 9, d=4, d_v=6)),
    Case("single", FIRST, cache(1, 1, 1, 1, 3, d=1, d_v=1), ("single",)),
    Case("cross", "the newest 4 of 21 tokens at once", cache(1, 2, 4, 21, 32), ("cross",)),
    Case("prefill", "9 tokens, all of them new", cache(1, 2, 9, 9, 16)),
    Case("full-cache", "the cache is filled to its last place", cache(1, 2, 3, 16, 16)),
    Case("no-query", "no token is new: there is no query, and no row to compute", cache(1, 2, 0, 12, 16)),
    Case("heads", "3 texts with 2 heads, the newest 2 of 11 tokens", cache(3, 2, 2, 11, 16)),
    Case("unwritten-nan", "the places that are not filled hold NaN", cache(1, 2, 3, 12, 20, rest=np.nan)),
    Case("scaled", SCALED, cache(1, 2, 3, 12, 16, scale=0.125)),
    Case("large-positive", LARGE, cache(1, 2, 5, 23, 32, level=UP), ("large positive",)),
    Case("very-negative", SMALL, cache(1, 2, 5, 23, 32, level=DOWN), ("very negative",)),
    Case("strided", "the cache lies in memory as (B, capacity, H, d)", strided(cache(2, 3, 4, 13, 16)), ("strided",)),
    Case("memory", "memory: 1 query, 500 tokens in a cache for 520", cache(2, 3, 1, 500, 520), budget=True),
]


def scores_of_one_pass(a: Arguments) -> int:
    """Six times the scores, and the output four times."""
    b, h, n, _ = a["q"].shape
    return 4 * b * h * n * (6 * a["length"] + 4 * a["v_cache"].shape[-1])


REFUSED = "3 tokens for 2 places are refused; nothing has changed, and 2 others fit"
LOOKED_AT = "memory: 40 tokens one at a time, looked at after each"

STORE = [
    Case("plain", "3 tokens, then 2 more, in a cache for 8", appended(1, 1, 8, 2, 3, 2)),
    Case("single", "one token in a cache for one, d = 1", appended(1, 1, 1, 1, 1), ("single",)),
    Case("token-by-token", "a prompt of 5 tokens, then one token at a time", appended(1, 2, 12, 4, 5, 1, 1, 1)),
    Case("full-cache", "the last token goes into the last place", appended(1, 2, 6, 4, 4, 1, 1)),
    Case("refused", REFUSED, appended(1, 2, 6, 4, 4, 3, 2)),
    Case("empty-append", "no token at all is appended, at first and to a full cache", appended(1, 2, 4, 4, 0, 4, 0)),
    Case("heads", "2 texts with 3 heads", appended(2, 3, 9, 4, 3, 2)),
    Case("strided", "k and v are transposed views", appended(2, 3, 9, 4, 3, 2, views=True), ("strided",)),
    Case("memory", LOOKED_AT, appended(1, 2, 40, 8, *40 * [1]), budget=True),
]


def three_buffers(a: Arguments) -> int:
    """Both buffers, and one more."""
    return 4 * 3 * math.prod(a["init"].values())


TEXT_LARGE = "scores from 150 to 250, where exp overflows"
TEXT_SMALL = "scores from -500 to -150, where every exp is 0"

TEXT = [
    Case("plain", "6 tokens, the first 3 of them a prompt", text(1, 1, 6, 3, d=4)),
    Case("single", "one token, which is the prompt, d = 1", text(1, 1, 1, 1, d=1), ("single",)),
    Case("short-prompt", "9 tokens, a prompt of 1: decoded from position 1 on", text(1, 2, 9, 1)),
    Case("decode-step", "9 tokens, a prompt of 8: one step of decoding", text(1, 2, 9, 8)),
    Case("prefill", "9 tokens, all of them prompt: nothing to decode", text(1, 2, 9, 9)),
    Case("heads", "3 texts with 2 heads, 13 tokens, a prompt of 5", text(3, 2, 13, 5), ("cross",)),
    Case("large-positive", TEXT_LARGE, text(1, 2, 11, 4, level=np.linspace(150, 250, 11)), ("large positive",)),
    Case("very-negative", TEXT_SMALL, text(1, 2, 11, 4, level=np.linspace(-150, -500, 11)), ("very negative",)),
    Case("strided", "q, k and v are transposed views", strided(text(2, 3, 9, 4)), ("strided",)),
    Case("memory", "memory: 200 tokens after a prompt of 8", text(1, 2, 208, 8, d=4), budget=True),
]


def cache_and_one_pass(a: Arguments) -> int:
    """The cache, the output twice, and six times the scores of the prompt or of the last token."""
    b, h, n, d = a["k"].shape
    return 4 * b * h * (4 * n * d + 6 * (a["prompt"] ** 2 + n) + 4 * d)


SMALL_MODEL = "2 layers, 6 query heads on 3 KV heads of width 4, 5 tokens, 1 text, numbers of 4 bytes"
GPT3 = "GPT-3: 96 layers, 96 heads of width 128, 4096 tokens, 1 text, numbers of 2 bytes"
LLAMA = "Llama 3.1 70B: 80 layers, 64 query heads on 8 KV heads of width 128, 16 texts of 131072 tokens, 2 bytes"
TINY = "1 of everything"

BYTES = [
    Case("plain", SMALL_MODEL, numbers(layers=2, heads=6, kv_heads=3, d=4, tokens=5, batch=1, itemsize=4)),
    Case("single", TINY, numbers(layers=1, heads=1, kv_heads=1, d=1, tokens=1, batch=1, itemsize=1), ("single",)),
    Case("gpt-3", GPT3, numbers(layers=96, heads=96, kv_heads=96, d=128, tokens=4096, batch=1, itemsize=2)),
    Case("llama-70b", LLAMA, numbers(layers=80, heads=64, kv_heads=8, d=128, tokens=131072, batch=16, itemsize=2)),
    Case(
        "qwen-7b",
        "Qwen2.5 7B: 28 layers, 28 query heads on 4 KV heads, 7 to each, 1000 tokens, 3 texts, 2 bytes",
        numbers(layers=28, heads=28, kv_heads=4, d=128, tokens=1000, batch=3, itemsize=2),
        ("grouped",),
    ),
]

FEW = "the newest 3 of 7 tokens, 6 query heads on 2 KV heads of width 4, numbers of 4 bytes"
STEP = "one step of decoding: 1 of 4096 tokens, 32 heads of width 128, numbers of 2 bytes"
WHOLE = "a prefill: all 300 tokens are new, 4 heads of width 64, numbers of 2 bytes"
SEVENS = "64 of 1000 tokens, 28 query heads on 4 KV heads, 7 to each, width 128, numbers of 2 bytes"

COST = [
    Case("plain", FEW, numbers(new=3, length=7, heads=6, kv_heads=2, d=4, itemsize=4), ("cross",)),
    Case(
        "single",
        "one token with one head of width 1",
        numbers(new=1, length=1, heads=1, kv_heads=1, d=1, itemsize=1),
        ("single",),
    ),
    Case("decode-step", STEP, numbers(new=1, length=4096, heads=32, kv_heads=32, d=128, itemsize=2)),
    Case("prefill", WHOLE, numbers(new=300, length=300, heads=4, kv_heads=4, d=64, itemsize=2)),
    Case("grouped", SEVENS, numbers(new=64, length=1000, heads=28, kv_heads=4, d=128, itemsize=2), ("grouped",)),
]

# Lines of the solutions that several mistakes change.

FILLED_PART = "k_cache[:, :, :length], v_cache[:, :, :length]"
POSITIONS = "torch.arange(length - n, length)"
WRITE_K = "self.k[:, :, self.length : stop] = k\n"
WRITE_V = "self.v[:, :, self.length : stop] = v\n"
REFUSE = 'raise CacheFull(f"{stop} tokens do not fit into {self.k.shape[2]} places")\n'
VIEWS_OF_BOTH = "return self.k[:, :, : self.length], self.v[:, :, : self.length]"
APPEND = "cache.append(k[:, :, start:stop], v[:, :, start:stop])\n"
ATTEND = """o[:, :, start:stop] = cached_attention(
            q[:, :, start:stop], cache.k, cache.v, cache.length
        )
"""
PASS = "8 * n * width**2 + 2 * n * (n + 1) * width"


EXERCISES = [
    Exercise(
        function=kv_cache.generation_flops,
        oracle=every_pass,
        outputs=(Output("without", "int64", exact=True), Output("with", "int64", exact=True)),
        points=1,
        cases=FLOPS,
        without=SIZES_ONLY
        | {
            "cross": "a pass is counted as a whole",
            "grouped": "the width of all heads together is given",
        },
        mutants=[
            Mutant(
                "only three of the four products with (D, D) matrices are counted",
                old="8 * n",
                new="6 * n",
                killed_by="plain",
            ),
            Mutant(
                "only multiplications are counted, and no additions",
                old=PASS,
                new="4 * n * width**2 + n * (n + 1) * width",
                killed_by="plain",
            ),
            Mutant(
                "every token is paired with every token, as if there were no causal mask",
                old="2 * n * (n + 1) * width",
                new="4 * n * n * width",
                killed_by="plain",
            ),
            Mutant(
                "no token is paired with itself",
                old="(n + 1)",
                new="(n - 1)",
                killed_by="plain",
            ),
            Mutant(
                "the scores are counted, but not the sum of the values that they weigh",
                old="+ 2 * n",
                new="+ n",
                killed_by="plain",
            ),
            Mutant(
                "the last written token is read too, in a pass of its own",
                old="prompt + new)",
                new="prompt + new + 1)",
                killed_by="plain",
                hint=3,
            ),
            Mutant(
                "no token comes out of the pass over the prompt: the passes start one token later",
                old="range(prompt, prompt + new)",
                new="range(prompt + 1, prompt + new + 1)",
                killed_by="plain",
                hint=3,
            ),
            Mutant(
                "with a cache the prompt is not counted at all",
                old="passes[-1]",
                new="passes[-1] - passes[0]",
                killed_by="plain",
            ),
            Mutant(
                "with a cache a new token is paired with itself alone",
                old="return sum(passes), passes[-1]",
                new="return sum(passes), passes[0] + (new - 1) * (8 * width**2 + 4 * width)",
                killed_by="plain",
            ),
            Mutant(
                "the two counts are swapped",
                old="return sum(passes), passes[-1]",
                new="return passes[-1], sum(passes)",
                killed_by="plain",
                hint=4,
            ),
        ],
        hints=[
            "Write down how many tokens each pass reads: without a cache prompt, prompt + 1, and so on, one pass for "
            "each new token. With a cache every pass after the first one reads a single token.",
            "A pass over n tokens costs the sum of 8 D^2 + 4 t D over t = 1 ... n, and the sum of t is n (n + 1) / 2. "
            "With a cache each position up to the last one that is read is paid once, in whichever pass.",
            "D = 1, a prompt of 2, 2 new tokens: positions 1, 2, 3 cost 12, 16, 20. Without a cache the passes read 2 "
            "and 3 tokens: (12 + 16) + (12 + 16 + 20) = 76. With one: (12 + 16) + 20 = 48.",
        ],
    ),
    Exercise(
        function=kv_cache.cached_attention,
        oracle=over_the_filled,
        outputs=(Output("O"),),
        points=3,
        backend="torch",
        forbidden=FORBIDDEN,
        cases=CACHED,
        without=ONE_TEXT,
        budget=Budget(
            memory=scores_of_one_pass,
            memory_is="4 bytes * B H n (6 length + 4 d_v): a few rows of scores, and no copy of the cache",
        ),
        mutants=[
            Mutant(
                "the new tokens are taken for the first ones of the text: the mask is aligned top-left",
                old=POSITIONS,
                new="torch.arange(n)",
                killed_by="plain",
            ),
            Mutant(
                "positions are counted back from the end of the buffer, and not of its filled part",
                old=POSITIONS,
                new="torch.arange(k_cache.shape[2] - n, k_cache.shape[2])",
                killed_by="cross",
            ),
            Mutant(
                "a new token does not see its own key",
                old="> position",
                new=">= position",
                killed_by="plain",
            ),
            Mutant(
                "a new token also sees the one after it: the mask is off by one",
                old="> position",
                new="> position + 1",
                killed_by="cross",
            ),
            Mutant(
                "new tokens that arrive together all see each other: there is no causal mask",
                old="torch.arange(length) > position",
                new="torch.zeros(n, length, dtype=torch.bool)",
                killed_by="cross",
            ),
            Mutant(
                "the mask is the wrong way round: a token sees itself and what comes after it",
                old="> position",
                new="< position",
                killed_by="plain",
            ),
            Mutant(
                "the whole buffer is read, as if all its places were filled",
                old=FILLED_PART,
                new="k_cache, v_cache\n    length = k_cache.shape[2]",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "only the older tokens are read from the cache, and the new ones are missing",
                old=FILLED_PART,
                new="k_cache[:, :, : length - n], v_cache[:, :, : length - n]\n    length -= n",
                killed_by="cross",
                hint=1,
            ),
            Mutant(
                "the new tokens are looked for behind the first `length` places, which hold them already",
                old=FILLED_PART,
                new="k_cache[:, :, : length + n], v_cache[:, :, : length + n]\n    length = k.shape[2]",
                killed_by="plain",
            ),
            Mutant(
                "empty places are masked but still read, and a weight of 0 times NaN is NaN",
                old=f"k, v = {FILLED_PART}\n"
                "    s = scale * (q @ k.transpose(2, 3))\n"
                f"    position = {POSITIONS}[:, None]\n"
                "    s = s.masked_fill(torch.arange(length)",
                new="k, v = k_cache, v_cache\n"
                "    s = scale * (q @ k.transpose(2, 3))\n"
                f"    position = {POSITIONS}[:, None]\n"
                "    s = s.masked_fill(torch.arange(k.shape[2])",
                killed_by="unwritten-nan",
                hint=1,
            ),
            Mutant(
                "every text reads the cache of the first one",
                old=FILLED_PART,
                new="k_cache[:1, :, :length], v_cache[:1, :, :length]",
                killed_by="heads",
            ),
            Mutant(
                "the scores are not scaled by 1/sqrt(d)",
                old="scale * (q",
                new="(q",
                killed_by="plain",
            ),
            Mutant(
                "the scale is applied twice, so that the scores are divided by d",
                old="scale * (q",
                new="scale * scale * (q",
                killed_by="plain",
            ),
            Mutant(
                "a scale that is handed in is ignored",
                old="if scale is None else scale",
                new="",
                killed_by="scaled",
            ),
            Mutant(
                "the softmax runs along the queries instead of along the keys",
                old="dim=-1",
                new="dim=-2",
                killed_by="plain",
            ),
            Mutant(
                "the softmax runs along the heads instead of along the keys",
                old="dim=-1",
                new="dim=1",
                killed_by="plain",
            ),
            Mutant(
                "the softmax runs along the texts instead of along the keys",
                old="dim=-1",
                new="dim=0",
                killed_by="plain",
            ),
            Mutant(
                "the filled part of the cache is copied first",
                old=FILLED_PART,
                new="k_cache[:, :, :length].clone(), v_cache[:, :, :length].clone()",
                killed_by="memory",
                hint=1,
            ),
        ],
        hints=[
            "Slice first: k_cache[:, :, :length] is a view of the filled part, and what lies behind it is then out of "
            "reach. The rest is attention with n queries and `length` keys.",
            "The only question is where the queries stand. The last one is the last token in the cache, at position "
            "length - 1; the first one at length - n. A key at position j is hidden from a query at position p if j > "
            "p.",
            "length = 5, n = 2: the queries stand at 3 and 4. Compared with the keys 0 1 2 3 4 the mask hides key 4 "
            "from the first query and nothing from the second: [[F, F, F, F, T], [F, F, F, F, F]].",
        ],
    ),
    Exercise(
        function=kv_cache.KVCache,
        oracle=Tokens,
        outputs=(),
        methods={"append": (), "contents": (Output("keys"), Output("values"))},
        errors=("CacheFull",),
        points=3,
        backend="torch",
        cases=STORE,
        without=STORED,
        budget=Budget(
            memory=three_buffers,
            memory_is="4 bytes * 3 batch heads capacity d: both buffers and one more; contents are not copied",
        ),
        mutants=[
            Mutant(
                "all tokens are written to the front of the buffers, over those that are there",
                old=f"{WRITE_K}        {WRITE_V}",
                new="self.k[:, :, : k.shape[2]] = k\n        self.v[:, :, : k.shape[2]] = v\n",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the values are written to the front of their buffer",
                old=WRITE_V,
                new="self.v[:, :, : k.shape[2]] = v\n",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the keys are stored in place of the values",
                old=WRITE_V,
                new="self.v[:, :, self.length : stop] = k\n",
                killed_by="plain",
                hint=4,
            ),
            Mutant(
                "every call of append counts as one token",
                old="self.length = stop",
                new="self.length += 1",
                killed_by="plain",
            ),
            Mutant(
                "the length grows by the number of heads, and not of tokens",
                old="self.length = stop",
                new="self.length += k.shape[1]",
                killed_by="plain",
            ),
            Mutant(
                "the length grows by the number of texts, and not of tokens",
                old="self.length = stop",
                new="self.length += len(k)",
                killed_by="plain",
            ),
            Mutant(
                "other tensors take the place of the buffers, and their free places are gone",
                old=f"{WRITE_K}        {WRITE_V}",
                new="self.k = torch.cat([self.k[:, :, : self.length], k], dim=2)\n"
                "        self.v = torch.cat([self.v[:, :, : self.length], v], dim=2)\n",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the length stays what it was",
                old="self.length = stop",
                new="pass",
                killed_by="plain",
            ),
            Mutant(
                "only the tokens of the latest append count",
                old="self.length = stop",
                new="self.length = k.shape[2]",
                killed_by="plain",
            ),
            Mutant(
                "the last place is never filled: a token that just fits is refused",
                old="stop > self.k",
                new="stop >= self.k",
                killed_by="full-cache",
            ),
            Mutant(
                "tokens that do not fit raise no CacheFull",
                old=REFUSE,
                new="return\n",
                killed_by="refused",
            ),
            Mutant(
                "the tokens that still fit are stored, and only then the error is raised",
                old=REFUSE,
                new="room = self.k.shape[2] - self.length\n"
                "            if room:\n"
                "                self.append(k[:, :, :room], v[:, :, :room])\n"
                "            raise CacheFull\n",
                killed_by="refused",
            ),
            Mutant(
                "the length is set before it is known whether the tokens fit",
                old=REFUSE,
                new="self.length = self.k.shape[2]\n            raise CacheFull\n",
                killed_by="refused",
            ),
            Mutant(
                "a full cache starts again at its front and forgets what it held",
                old=REFUSE,
                new="self.length, stop = 0, k.shape[2]\n",
                killed_by="refused",
            ),
            Mutant(
                "contents are the whole buffers, filled or not",
                old=VIEWS_OF_BOTH,
                new="return self.k, self.v",
                killed_by="plain",
            ),
            Mutant(
                "the newest token is missing from the contents",
                old=VIEWS_OF_BOTH,
                new="return self.k[:, :, : max(self.length - 1, 0)], self.v[:, :, : max(self.length - 1, 0)]",
                killed_by="plain",
            ),
            Mutant(
                "contents are values and keys, in this order",
                old=VIEWS_OF_BOTH,
                new="return self.v[:, :, : self.length], self.k[:, :, : self.length]",
                killed_by="plain",
                hint=4,
            ),
            Mutant(
                "contents are copied every time somebody looks",
                old=VIEWS_OF_BOTH,
                new="return self.k[:, :, : self.length].clone(), self.v[:, :, : self.length].clone()",
                killed_by="memory",
                hint=1,
            ),
        ],
        hints=[
            "The buffers never move and never grow. A new token is written into the next free place, and looking at "
            "the filled part is a slice, which in torch is a view and costs nothing.",
            "Between two calls this holds: places 0 to length - 1 are filled, in the order in which the tokens came. n "
            "tokens go to length ... length + n - 1. Compute the new length first, compare it with the capacity, and "
            "write only after that.",
            "capacity 6, length 4: 3 tokens would make 7, so raise CacheFull and touch nothing. 2 tokens make 6, which "
            "fits: they go to places 4 and 5, written as `self.k[:, :, 4:6] = k`, and length is 6 afterwards.",
        ],
    ),
    Exercise(
        function=kv_cache.prefill_then_decode,
        oracle=in_one_pass,
        outputs=(Output("O"),),
        points=2,
        backend="torch",
        forbidden=FORBIDDEN,
        calls=("KVCache", "cached_attention"),
        cases=TEXT,
        without=ONE_TEXT,
        budget=Budget(
            memory=cache_and_one_pass,
            memory_is="4 bytes * B H (4 N d + 6 (prompt^2 + N) + 4 d): the cache, O, and the scores of one pass",
        ),
        mutants=[
            Mutant(
                "a step of decoding looks into the cache before its own token is there",
                old=APPEND + "        " + ATTEND,
                new="if start == 0:\n"
                "            cache.append(k[:, :, :stop], v[:, :, :stop])\n"
                f"        {ATTEND}"
                "        if start > 0:\n"
                "            cache.append(k[:, :, start:stop], v[:, :, start:stop])\n",
                killed_by="plain",
            ),
            Mutant(
                "every pass looks into the cache before its own tokens are there",
                old=APPEND + "        " + ATTEND,
                new=ATTEND + "        " + APPEND,
                killed_by="plain",
            ),
            Mutant(
                "every pass takes the cache for full",
                old="cache.length\n",
                new="n\n",
                killed_by="plain",
            ),
            Mutant(
                "the prompt is read but not kept: decoding starts with an empty cache",
                old="start, stop = stop, stop + 1",
                new="if start == 0:\n"
                "            cache = KVCache(batch, heads, n, d)\n"
                "        start, stop = stop, stop + 1",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "every token has an empty cache, and sees itself alone",
                old="        cache.append(",
                new="        if start > 0:\n            cache = KVCache(batch, heads, n, d)\n        cache.append(",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "only the prompt is ever in the cache",
                old=APPEND,
                new="if start == 0:\n            cache.append(k[:, :, :stop], v[:, :, :stop])\n",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the keys and values of the token before are appended again, in place of the token's own",
                old=APPEND,
                new="last = stop - start == 1 and start > 0\n"
                "        cache.append(k[:, :, start - last : stop - last], v[:, :, start - last : stop - last])\n",
                killed_by="plain",
                hint=3,
            ),
            Mutant(
                "a step of decoding takes the query of the token before",
                old="q[:, :, start:stop],",
                new="q[:, :, max(start - 1, 0) : max(start - 1, 0) + stop - start],",
                killed_by="plain",
                hint=3,
            ),
            Mutant(
                "the last query of a pass answers for all its tokens",
                old=ATTEND,
                new="o[:, :, start:stop] = cached_attention(\n"
                "            q[:, :, stop - 1 : stop], cache.k, cache.v, cache.length\n"
                "        )\n",
                killed_by="plain",
            ),
            Mutant(
                "the whole text is read in one pass, whatever the prompt",
                old="start, stop = 0, prompt",
                new="start, stop = 0, n",
                killed_by="memory",
                hint=1,
            ),
        ],
        hints=[
            "One cache for the whole text. Each pass appends what is new and then lets the new queries look; the first "
            "pass has `prompt` tokens, every other one has 1.",
            "Append first, attend second: cached_attention expects the new tokens to be in the cache already. The pass "
            "that starts at token `start` and stops before `stop` fills rows start to stop - 1 of o.",
            "N = 5, prompt = 3: the passes are [0, 3), [3, 4), [4, 5). Before the second one the cache has 3 tokens, "
            "then token 3 is appended, and its query looks with length = 4.",
        ],
    ),
    Exercise(
        function=kv_cache.cache_bytes,
        oracle=buffers,
        outputs=(Output("bytes", "int64", exact=True),),
        points=1,
        cases=BYTES,
        without=SIZES_ONLY | {"cross": "there are no queries here"},
        mutants=[
            Mutant(
                "only the keys are counted, and not the values",
                old="2 * layers",
                new="layers",
                killed_by="plain",
            ),
            Mutant(
                "every query head is given keys and values of its own",
                old="kv_heads * tokens",
                new="heads * tokens",
                killed_by="plain",
            ),
            Mutant(
                "only one layer is counted",
                old="layers * ",
                new="",
                killed_by="plain",
            ),
            Mutant(
                "numbers are counted instead of bytes",
                old=" * itemsize",
                new="",
                killed_by="plain",
            ),
            Mutant(
                "only one KV head is counted",
                old="kv_heads * tokens",
                new="tokens",
                killed_by="plain",
            ),
            Mutant(
                "only one text is counted",
                old="batch * ",
                new="",
                killed_by="llama-70b",
            ),
            Mutant(
                "the head dimension is left out",
                old=" * d",
                new="",
                killed_by="plain",
            ),
        ],
        hints=[
            "Multiply the sizes of one buffer, and count the buffers.",
            "Each layer has two buffers, keys and values, of shape (batch, kv_heads, tokens, d). One of the arguments "
            "does not occur.",
            "2 layers, 3 KV heads of width 4, 5 tokens, 1 text, 4 bytes: a buffer has 3 * 5 * 4 = 60 numbers, and "
            "there are 2 * 2 of them: 240 numbers, 960 bytes.",
        ],
    ),
    Exercise(
        function=kv_cache.cached_attention_cost,
        oracle=look_at_the_mask,
        outputs=(Output("flops", "int64", exact=True), Output("bytes_moved", "int64", exact=True)),
        points=2,
        cases=COST,
        without=SIZES_ONLY,
        mutants=[
            Mutant(
                "every new token is paired with every token, as if there were no causal mask",
                old="new * length - new * (new - 1) // 2",
                new="new * length",
                killed_by="plain",
            ),
            Mutant(
                "the new tokens are paired only with each other, and not with the cached ones",
                old="new * length - new * (new - 1) // 2",
                new="new * (new + 1) // 2",
                killed_by="plain",
            ),
            Mutant(
                "the new tokens are paired only with the cached ones, and not with each other",
                old="new * length - new * (new - 1) // 2",
                new="new * (length - new)",
                killed_by="plain",
            ),
            Mutant(
                "`length` is taken for the tokens that were cached before the new ones",
                old="new * length - new * (new - 1) // 2",
                new="new * length + new * (new + 1) // 2\n    length += new",
                killed_by="plain",
                hint=3,
            ),
            Mutant(
                "no new token is paired with itself",
                old="(new - 1)",
                new="(new + 1)",
                killed_by="plain",
            ),
            Mutant(
                "every pair takes d operations: multiplications of one product alone",
                old="4 * heads",
                new="heads",
                killed_by="plain",
            ),
            Mutant(
                "only one of the two products is counted",
                old="4 * heads",
                new="2 * heads",
                killed_by="plain",
            ),
            Mutant(
                "query heads that share keys are computed only once",
                old="4 * heads",
                new="4 * kv_heads",
                killed_by="plain",
            ),
            Mutant(
                "shared keys and values are read once for every query head",
                old="kv_heads * length",
                new="heads * length",
                killed_by="plain",
            ),
            Mutant(
                "of K and V only the new tokens are moved",
                old="kv_heads * length",
                new="kv_heads * new",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "Q and O are as long as the cache",
                old="heads * new +",
                new="heads * length +",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "Q and O are not counted",
                old="heads * new + ",
                new="",
                killed_by="plain",
            ),
            Mutant(
                "numbers are counted instead of bytes",
                old=" * itemsize",
                new="",
                killed_by="plain",
            ),
        ],
        hints=[
            "Two separate counts: pairs of a query and a key that the mask lets through, and numbers in four arrays. "
            "The whole cache is read, however few tokens are new.",
            "Without the mask there are new * length pairs. The last query sees all keys, the one before it all but 1, "
            "the first all but new - 1. A pair costs 2 d operations in each of the two products, in every query head.",
            "new = 3, length = 7: 5 + 6 + 7 = 18 pairs. 6 heads of width 4: 4 * 6 * 18 * 4 = 1728 operations. Q and O "
            "have 6 * 3 * 4 = 72 numbers each, K and V on 2 KV heads 2 * 7 * 4 = 56 each: 256 numbers.",
        ],
    ),
]
QUESTIONS = [
    Question(
        name="times_the_work",
        ask="A layer of width 4096 writes 1000 tokens after a prompt of 1000. How many times as many operations does "
        "it take without a cache as with one?",
        answer=732,
        rel=0.05,
        why="Without a cache the passes read 1000, 1001, ... 1999 tokens, 1,499,500 together; with one 1999 are read. "
        "That is 750 times as many. The exact ratio is a little smaller, 732, since the tokens that are read most "
        "often are the first ones, which have fewer keys to look at.",
        unit="times",
    ),
    Question(
        name="times_written",
        ask="A cache grows from nothing to 4096 tokens, one at a time, each time by torch.cat. How often is a key "
        "written on average?",
        answer=2048.5,
        rel=0.01,
        why="The first key is written 4096 times, the last one once, and the mean of 1 ... 4096 is 2048.5. A buffer of "
        "fixed size writes every key once.",
        unit="times",
    ),
    Question(
        name="gpt3_cache",
        ask="GPT-3 has 96 layers of 96 heads of width 128. How many GiB (2^30 bytes) do the keys and values of one "
        "text of 4096 tokens take, with numbers of 2 bytes?",
        answer=18,
        rel=0.01,
        why="2 * 96 * 96 * 128 = 2,359,296 numbers a token, 4.7 MB; 4096 tokens take 19,327,352,832 bytes, which is 18 "
        "GiB exactly.",
        unit="GiB",
    ),
    Question(
        name="new_tokens",
        ask="32 heads with keys of their own, d = 128, numbers of 2 bytes, 4096 tokens in the cache, the new ones "
        "included: how many tokens have to be new at once before attention is bound by arithmetic on the H200 (185 "
        "operations a byte)?",
        answer=199,
        rel=0.1,
        why="n new tokens make nearly n operations a byte, because each key that is read meets n queries. 185 would do "
        "if Q and O were free and nothing were masked; as it is, 199.",
        unit="tokens",
    ),
]
