"""Lesson 16: chunked prefill, a sliding window, a rolling cache, attention sinks, and all of them together."""

from collections.abc import Callable, Iterable

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import ArrayLike
from torch import Tensor

from autograder.exercises.draws import on_grid
from autograder.spec.exercise import Arguments, Budget, Case, Exercise, Mutant, Output, Question
from kernels import long_context, reference

Draw = Callable[[Generator], Arguments]

ITSELF = {
    "masked row": "every token sees at least itself",
    "grouped": "one head at a time here; lesson 15 has grouped heads",
}
FORBIDDEN = ("scaled_dot_product",)
O_ONLY = (Output("o"),)


# What is right.


def banded(
    q: Tensor, k: Tensor, v: Tensor, window: int | None = None, sinks: int = 0, scale: float | None = None
) -> Tensor:
    """Attention to the keys j <= p of position p with p - j < window or j < sinks; window None: to all j <= p."""
    n_q, n_k = q.shape[0], k.shape[0]
    past = reference.causal_mask(n_q, n_k)
    seen = past.clone()
    if window is not None:
        seen &= ~past.tril(n_k - n_q - window)
        seen[:, :sinks] = past[:, :sinks]
    return reference.softmax(reference.scores(q, k, scale=scale).masked_fill(~seen, -torch.inf)) @ v


def in_chunks(q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None) -> Tensor:
    """All queries at once: the chunk size must not matter."""
    return banded(q, k, v, scale=scale)


def banded_in_chunks(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, window: int, sinks: int = 0, scale: float | None = None
) -> Tensor:
    return banded(q, k, v, window, sinks, scale)


class Remembers:
    """What a rolling cache should answer, by one that forgets nothing and refuses what the ring could not know."""

    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.slots, self.window = slots, window
        self.k: list[Tensor] = []  # what each append brought
        self.v: list[Tensor] = []
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        self.k.append(k)
        self.v.append(v)
        self.length += len(k)

    def positions(self) -> Tensor:
        held = [-1] * self.slots
        for position in range(self.length):
            held[position % self.slots] = position
        return torch.tensor(held)

    def attend(self, q: Tensor) -> Tensor:
        first = self.length - len(q)
        needed = range(max(first - self.window + 1, 0), self.length)
        if first < 0 or len(needed) > self.slots:
            raise LookupError
        return banded(q, torch.cat(self.k), torch.cat(self.v), self.window)


# Inputs.


def heads(
    n_q: int, n_k: int, d: int = 16, d_v: int = 16, level: ArrayLike = 0.0, profile: ArrayLike = 0.0, **rest: object
) -> Draw:
    """q, k, v of one head, and what else is given in `rest`.

    The scores, at the scale 1/sqrt(d), are about 2 * N(0, 1) + level + profile: `level` is one number or one for each
    query, `profile` one number or one for each key. q and k lie on a grid, so with a scale that is a power of two the
    scores are exact in float32, in whatever order a solution sums. What is judged is all that comes after them.
    """

    def draw(rng: Generator) -> Arguments:
        q, k = on_grid(2 * rng.standard_normal((n_q, d)), 32), on_grid(rng.standard_normal((n_k, d)), 32)
        if np.any(level):
            q[:, -1], k[:, -1] = on_grid(level, 32), d**0.5
        if np.any(profile):
            q[:, -1], k[:, -1] = d**0.5, on_grid(profile, 32)
        v = rng.standard_normal((n_k, d_v)) + np.linspace(-2, 2, n_k)[:, None]  # the mean drifts along the keys
        return {name: x.astype(np.float32) for name, x in (("q", q), ("k", k), ("v", v))} | rest

    return draw


def transposed(n_q: int, n_k: int, **rest: object) -> Draw:
    """A head whose q, k and v are transposed views."""

    def draw(rng: Generator) -> Arguments:
        given = heads(n_q, n_k)(rng)
        return {name: np.ascontiguousarray(x.T).T for name, x in given.items()} | rest

    return draw


def text(
    slots: int, window: int, script: Iterable[tuple[str, int]], d: int = 16, d_v: int = 16, draw: Draw | None = None
) -> Draw:
    """Operations on a cache: ("append", n) hands it the next n tokens, ("attend", n) asks for the newest n.

    The tokens are those of the head that `draw` makes, or of a plain one.
    """
    script = list(script)
    total = sum(n for method, n in script if method == "append")

    def steps(rng: Generator) -> Arguments:
        given = (draw or heads(total, total, d, d_v))(rng)
        made, length = [], 0
        for method, n in script:
            rows = slice(length, length + n) if method == "append" else slice(max(length - n, 0), max(length, n))
            names = {"append": ("k", "v"), "attend": ("q",), "positions": ()}[method]
            made.append((method, {name: given[name][rows] for name in names}))
            length += n if method == "append" else 0
        return {"init": {"slots": slots, "window": window, "d": d, "d_v": d_v}, "steps": made}

    return steps


def by(sizes: Iterable[int], asked: int | None = None) -> list[tuple[str, int]]:
    """Append so many tokens at a time, asking for all that came, or for `asked`; look at the positions last."""
    steps = [step for n in sizes for step in (("append", n), ("attend", n if asked is None else asked))]
    return [*steps, ("positions", 0)]


def looking(sizes: Iterable[int]) -> list[tuple[str, int]]:
    """Append so many tokens at a time, each time looking at the positions and asking for the newest token."""
    return [step for n in sizes for step in (("append", n), ("positions", 0), ("attend", 1))]


# The situations, in the same words for every exercise that has them.

SINGLE = "one query, one key, one value"
CROSS = "5 queries at the end of 37 keys: 32 tokens are cached already"
LARGE = "scores from 150 to 250, where exp overflows"
SMALL = "scores from -500 to -150, where every exp is 0"
RISING = "the scores grow along the keys, so the maximum is always new"
STRIDED = "q, k and v are transposed views"

UP, DOWN = np.linspace(150, 250, 37), np.linspace(-500, -150, 37)
CLIMB = 0.5 * np.arange(37)


def situations(**rest: int) -> list[Case]:
    """What every form of causal attention over 37 tokens has to stand."""
    return [
        Case("cross", CROSS, heads(5, 37, **rest), ("cross",)),
        Case("decode-step", "one query at the end of 37 keys: a decode step", heads(1, 37, **rest)),
        Case("no-query", "the whole prompt is cached: no query is left", heads(0, 37, **rest)),
        Case("scaled", "the scale is given: 1/8, not 1/sqrt(16)", heads(37, 37, scale=0.125, **rest)),
        Case("large-positive", LARGE, heads(37, 37, level=UP, **rest), ("large positive",)),
        Case("very-negative", SMALL, heads(37, 37, level=DOWN, **rest), ("very negative",)),
        Case("rising", RISING, heads(37, 37, profile=CLIMB, **rest), ("rising max",)),
        Case("strided", STRIDED, transposed(37, 37, **rest), ("strided",)),
    ]


C_RAGGED = "37 tokens in chunks of 16: the last chunk has 5"
C_CROSS = "21 queries in chunks of 8 at the end of 37 keys: 16 tokens are cached already"

CHUNKS = [
    Case("plain", "six tokens in chunks of two", heads(6, 6, 4, 4, chunk=2), tile=(2, 4)),
    Case("single", SINGLE, heads(1, 1, 1, 1, chunk=8), ("single",)),
    Case("ragged", C_RAGGED, heads(37, 37, chunk=16), ("ragged",), tile=(16, 8)),
    Case("chunks-of-one", "chunks of one token: the prompt is decoded", heads(21, 21, chunk=1)),
    Case("one-chunk", "one chunk, longer than the prompt", heads(21, 21, chunk=64)),
    Case("half-cached", C_CROSS, heads(21, 37, chunk=8), ("cross",), tile=(8, 8)),
    *situations(chunk=8),
    Case("memory", "memory: 300 tokens in chunks of 8", heads(300, 300, chunk=8), budget=True),
]


def chunk_memory(a: Arguments) -> int:
    """The output, and five matrices of one chunk's scores and rows of the output."""
    (n_q, d_v), n_k = (len(a["q"]), a["v"].shape[1]), len(a["k"])
    return 4 * (n_q * d_v + 5 * a["chunk"] * (n_k + d_v))


WINDOWS = [
    Case("plain", "seven tokens, a window of three", heads(7, 7, 4, 4, window=3)),
    Case("single", SINGLE, heads(1, 1, 1, 1, window=1), ("single",)),
    Case("window-of-one", "a window of one: every token sees itself alone", heads(21, 21, window=1)),
    Case("wide-window", "a window of 64, longer than the text of 21", heads(21, 21, window=64)),
    Case(
        "one-forgets",
        "a window of 20 and 21 tokens: only the last one forgets, and only the first",
        heads(21, 21, window=20),
    ),
    *situations(window=8),
]

R_OFFSETS = "five slots, a window of three, tokens in pairs: an append begins at every offset"
R_LONG = "five slots, appends of 3, 5, 7, 0, 12 and 11 tokens"
R_CHUNKS = "chunks of 4 with a window of 6 in 9 slots; the last chunk has 3"
R_EMPTY = "16 slots, a window of 16, and only 5 tokens: the other slots are empty"
R_OLD = "12 slots and a window of 3: the ring still holds tokens that are too old to be seen"
R_MEMORY = "memory: 640 tokens through 31 slots"

RINGS = [
    Case("plain", "four slots, a window of four: six tokens, one at a time", text(4, 4, by([1] * 6), d=4)),
    Case(
        "single",
        "one slot, a window of one, keys and values of width 1",
        text(1, 1, by([1, 1]), d=1, d_v=1),
        ("single",),
    ),
    Case("every-offset", R_OFFSETS, text(5, 3, looking([2] * 6))),
    Case("long-appends", R_LONG, text(5, 3, looking([3, 5, 7, 0, 12, 11]))),
    Case("ragged", R_CHUNKS, text(9, 6, by([4, 4, 4, 4, 4, 3])), ("ragged", "cross")),
    Case("empty-slots", R_EMPTY, text(16, 16, by([3, 2]))),
    Case("outside-window", R_OLD, text(12, 3, by([20, 1, 1], asked=1))),
    Case(
        "refused",
        "8 slots, a window of 6: refused are queries before there are tokens, and queries that have lost a key",
        text(8, 6, [("attend", 1), ("append", 10), ("attend", 3), ("attend", 4), ("append", 1), ("attend", 1)]),
    ),
    Case("large-positive", LARGE, text(17, 8, by([10, 9, 9, 9]), draw=heads(37, 37, level=UP)), ("large positive",)),
    Case("very-negative", SMALL, text(17, 8, by([10, 9, 9, 9]), draw=heads(37, 37, level=DOWN)), ("very negative",)),
    Case("rising", RISING, text(17, 8, by([10, 9, 9, 9]), draw=heads(37, 37, profile=CLIMB)), ("rising max",)),
    Case("strided", STRIDED, text(17, 8, by([10, 9, 9, 9]), draw=transposed(37, 37)), ("strided",)),
    Case("memory", R_MEMORY, text(31, 16, [*[("append", 64)] * 10, ("attend", 16)]), budget=True),
]


def ring_memory(a: Arguments) -> int:
    """Three times the ring, and five matrices of the scores of its last queries."""
    init, (_, asked) = a["init"], a["steps"][-1]
    return 4 * init["slots"] * (3 * (init["d"] + init["d_v"]) + 5 * len(asked["q"]))


S_CROSS = "21 queries at the end of 37 keys: 16 tokens are cached already"
S_REST = "token 0 scores 10 above the rest: the head rests on it"

SINKS = [
    Case("plain", "eight tokens, a window of three, two sinks", heads(8, 8, 4, 4, window=3, sinks=2)),
    Case("single", SINGLE, heads(1, 1, 1, 1, window=1, sinks=1), ("single",)),
    Case("no-sinks", "no sinks: the window alone", heads(21, 21, window=4, sinks=0)),
    Case("sinks-over-window", "more sinks than the window is wide", heads(21, 21, window=3, sinks=7)),
    Case("sinks-over-tokens", "more sinks than there are tokens", heads(9, 9, window=3, sinks=12)),
    Case("wide-window", "a window longer than the text", heads(21, 21, window=64, sinks=4)),
    Case("resting-head", S_REST, heads(37, 37, profile=np.where(np.arange(37) == 0, 10.0, 0.01), window=8, sinks=1)),
    Case("half-cached", S_CROSS, heads(21, 37, window=8, sinks=4), ("cross",)),
    *situations(window=8, sinks=4),
]

L_PLAIN = "eight tokens in chunks of two, a window of three, one sink"
L_RAGGED = "37 tokens in chunks of 16, a window of 8, 4 sinks: the last chunk has 5"
L_EARLY = "chunks of 2 and 5 sinks: the first chunks end before the sinks do"
L_CROSS = "21 queries in chunks of 8 at the end of 37 keys: 16 tokens are cached already"
L_MEMORY = "memory: 320 tokens in chunks of 16, a window of 16, 4 sinks"

LONG = [
    Case("plain", L_PLAIN, heads(8, 8, 4, 4, chunk=2, window=3, sinks=1), tile=(2, 4)),
    Case("single", SINGLE, heads(1, 1, 1, 1, chunk=8, window=1, sinks=1), ("single",)),
    Case("ragged", L_RAGGED, heads(37, 37, chunk=16, window=8, sinks=4), ("ragged",), tile=(16, 8)),
    Case("chunks-in-sinks", L_EARLY, heads(21, 21, chunk=2, window=3, sinks=5)),
    Case("no-sinks", "no sinks, and no scale: both are left to their defaults", heads(37, 37, chunk=8, window=8)),
    Case("chunks-of-one", "chunks of one token", heads(21, 21, chunk=1, window=4, sinks=2)),
    Case("wide-window", "a window and a chunk longer than the text", heads(21, 21, chunk=32, window=64, sinks=4)),
    Case("half-cached", L_CROSS, heads(21, 37, chunk=8, window=6, sinks=4), ("cross",), tile=(8, 8)),
    *situations(chunk=8, window=8, sinks=4),
    Case("memory", L_MEMORY, heads(320, 320, chunk=16, window=16, sinks=4), budget=True),
]


def long_memory(a: Arguments) -> int:
    """The output, and for one chunk a copy of the keys and values it sees and six matrices of its scores."""
    (n_q, d), d_v, chunk = a["q"].shape, a["v"].shape[1], a["chunk"]
    most = a["sinks"] + a["window"] + chunk - 1
    return 4 * (n_q * d_v + most * (d + d_v) + 6 * chunk * (most + d_v))


# Mistakes.

SCORES = "scale * (q @ k.T)"
ROWS = "torch.arange(n_k - n_q, n_k)"


def band_mutants() -> list[Mutant]:
    """Mistakes at the lines that `window_attention` and `sink_attention` have in common."""
    return [
        Mutant(
            "the window holds `window` tokens beside the token itself: it is one too wide",
            old="key > query - window",
            new="key >= query - window",
            killed_by="plain",
        ),
        Mutant(
            "the window holds `window` - 1 tokens, the token itself included: it is one too narrow",
            old="key > query - window",
            new="key > query - window + 1",
            killed_by="plain",
        ),
        Mutant("a token does not see itself", old="key <= query", new="key < query", killed_by="plain"),
        Mutant(
            "later tokens are seen: the window has no right edge",
            old="(key <= query) & ",
            new="",
            killed_by="plain",
        ),
        Mutant(
            "the queries are counted from position 0, as if nothing were cached",
            old=ROWS,
            new="torch.arange(n_q)",
            killed_by="cross",
        ),
        Mutant(
            "the window's left edge counts the queries from position 0, as if nothing were cached",
            old="key > query - window",
            new="key > query - (n_k - n_q) - window",
            killed_by="cross",
        ),
        Mutant(
            "the text is cut into blocks of `window` tokens, and a token sees its own block alone",
            old="key > query - window",
            new="key // window == query // window",
            killed_by="plain",
            hint=1,
        ),
        Mutant(
            "the hidden scores still count in the denominator",
            old=".masked_fill(~seen, -torch.inf)\n    return torch.softmax(s, dim=-1) @ v",
            new="\n    return torch.softmax(s, dim=-1).masked_fill(~seen, 0) @ v",
            killed_by="plain",
            hint=3,
        ),
        Mutant("hidden scores are set to 0 instead of -inf", old="-torch.inf", new="0.0", killed_by="plain", hint=3),
        Mutant("the scores are not scaled", old=SCORES, new="q @ k.T", killed_by="plain"),
        Mutant("a scale that is handed in is ignored", old="if scale is None else scale", new="", killed_by="scaled"),
    ]


EXERCISES = [
    Exercise(
        function=long_context.chunked_prefill,
        oracle=in_chunks,
        outputs=O_ONLY,
        points=2,
        backend="torch",
        forbidden=FORBIDDEN,
        cases=CHUNKS,
        without=ITSELF,
        budget=Budget(
            memory=chunk_memory,
            memory_is="4 bytes * (N_q d_v + 5 chunk (N_k + d_v)): a few copies of one chunk's scores",
        ),
        mutants=[
            Mutant(
                "every chunk sees its own tokens alone, and none of those before it",
                old="torch.arange(known) > query",
                new="(torch.arange(known) > query) | (torch.arange(known) < i + n_k - n_q)",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "every chunk sees the tokens before it, and none of its own",
                old="known = stop + n_k - n_q",
                new="known = i + n_k - n_q",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the keys of a chunk end as if nothing were cached",
                old="known = stop + n_k - n_q",
                new="known = stop",
                killed_by="half-cached",
            ),
            Mutant(
                "every token sees all keys, as if there were no causal mask",
                old="known = stop + n_k - n_q",
                new="known, query = n_k, query + n_k",
                killed_by="plain",
            ),
            Mutant(
                "the tokens of a chunk see the later ones of the same chunk",
                old="torch.arange(known) > query",
                new="torch.arange(known) >= known",
                killed_by="plain",
            ),
            Mutant(
                "the causal mask counts the queries of every chunk from 0",
                old="torch.arange(i, stop)",
                new="torch.arange(stop - i)",
                killed_by="plain",
            ),
            Mutant(
                "the causal mask counts from the prompt's first query, as if nothing were cached",
                old="[:, None] + n_k - n_q",
                new="[:, None]",
                killed_by="half-cached",
            ),
            Mutant(
                "the last chunk is dropped when it is ragged",
                old="range(0, n_q, chunk)",
                new="range(0, n_q - chunk + 1, chunk)",
                killed_by="ragged",
            ),
            Mutant("a token does not see itself", old="> query", new=">= query", killed_by="plain"),
            Mutant(
                "every token sees one token too many",
                old="torch.arange(known) > query",
                new="torch.arange(known) > query + 1",
                killed_by="plain",
            ),
            Mutant("the scores are not scaled", old="scale * (q[i", new="(q[i", killed_by="plain"),
            Mutant(
                "a scale that is handed in is ignored", old="if scale is None else scale", new="", killed_by="scaled"
            ),
            Mutant(
                "the softmax runs along the queries of the chunk instead of along the keys",
                old="dim=-1",
                new="dim=-2",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the whole prompt is one chunk",
                old="range(0, n_q, chunk):",
                new="[0]:\n        chunk = n_q",
                killed_by="memory",
                hint=1,
            ),
        ],
        hints=[
            "A chunk is attention like any other, of few queries to many keys: its keys are the whole cache, the "
            "chunk's own tokens included. Loop over the chunks and write each one's rows of o.",
            "The query i of the prompt stands at position i + N_k - N_q. The chunk from i to stop sees the keys before "
            "stop + N_k - N_q, and inside the chunk the mask compares positions with positions.",
            "N_q = 3, N_k = 5, chunk = 2: two tokens are cached. The first chunk, queries 0 and 1, stands at positions "
            "2 and 3 and needs keys 0 to 3; key 3 is hidden from the first of the two. The second chunk is query 2 "
            "alone, at position 4, and sees all five keys.",
        ],
    ),
    Exercise(
        function=long_context.window_attention,
        oracle=banded,
        outputs=O_ONLY,
        points=1,
        backend="torch",
        forbidden=FORBIDDEN,
        cases=WINDOWS,
        without=ITSELF | {"ragged": "the mask is one piece; nothing is cut into tiles"},
        mutants=[
            *band_mutants(),
            Mutant(
                "there is no window: a token sees all that came before it",
                old=" & (key > query - window)",
                new="",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the window reaches as far forward as it reaches back",
                old="(key <= query) & (key > query - window)",
                new="(key - query).abs() < window",
                killed_by="plain",
                hint=1,
            ),
        ],
        hints=[
            "It is causal attention with a second condition in its mask: not too old.",
            "Write down the positions of the queries as a column (they are the last N_q of N_k) and those of the keys "
            "as a row. A window of w that includes the token itself reaches back w - 1 tokens.",
            "N_q = N_k = 5, window 3: query 4 sees keys 2, 3, 4 (4 - 3 < j <= 4); query 1 sees keys 0 and 1, because "
            "there are no more. With the last two queries only, the rows stand at positions 3 and 4.",
        ],
    ),
    Exercise(
        function=long_context.RollingCache,
        oracle=Remembers,
        outputs=(),
        methods={"append": (), "positions": (Output("positions", "int64", exact=True),), "attend": O_ONLY},
        errors=("LookupError",),
        points=3,
        backend="torch",
        forbidden=FORBIDDEN,
        cases=RINGS,
        without=ITSELF,
        budget=Budget(
            memory=ring_memory,
            memory_is="4 bytes * slots (3 (d + d_v) + 5 n): the ring, and the scores of the last n queries",
        ),
        mutants=[
            Mutant(
                "the write pointer goes back to slot 0 at every append",
                old="torch.arange(self.length + skipped, self.length + n)",
                new="torch.arange(skipped, n)",
                killed_by="plain",
            ),
            Mutant(
                "the number of tokens is kept modulo the number of slots, and older positions are forgotten",
                old="self.length += n",
                new="self.length = (self.length + n) % slots",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the tokens in the ring are moved along for every new one, and token p does not lie in slot p mod R",
                old="self.k[slot], self.v[slot] = k[skipped:], v[skipped:]",
                new="self.k, self.v = torch.cat([self.k, k])[-slots:], torch.cat([self.v, v])[-slots:]",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "token p is written into slot p mod `window`, not p mod `slots`",
                old="self.length + n) % slots",
                new="self.length + n) % self.window",
                killed_by="every-offset",
                hint=1,
            ),
            Mutant(
                "what does not fit before the end of the ring is dropped",
                old="self.k[slot], self.v[slot] = k[skipped:], v[skipped:]",
                new="fits = slot[: slots - self.length % slots]\n"
                "        self.k[fits], self.v[fits] = k[skipped:][: len(fits)], v[skipped:][: len(fits)]",
                killed_by="every-offset",
                hint=1,
            ),
            Mutant(
                "the pointer stops at the last slot instead of going back to the first",
                old="self.length + n) % slots",
                new="self.length + n).clamp(max=slots - 1)",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "of an append longer than the ring the first tokens are kept instead of the last",
                old="k[skipped:], v[skipped:]",
                new="k[: n - skipped], v[: n - skipped]",
                killed_by="long-appends",
            ),
            Mutant(
                "tokens that an append skips are not counted, so that all later positions are wrong",
                old="self.length += n",
                new="self.length += n - skipped",
                killed_by="long-appends",
            ),
            Mutant(
                "what does not fit before the end of the ring is written over its last slot",
                old="torch.arange(self.length + skipped, self.length + n) % slots",
                new="(self.length % slots + torch.arange(n - skipped)).clamp(max=slots - 1)",
                killed_by="every-offset",
            ),
            Mutant(
                "the number of a slot is taken for the position of its token",
                old="(newest - age).clamp(min=-1)",
                new="torch.where(slot > newest, -1, slot)",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the newest token is taken to stand at position `length`, and not one before it",
                old="torch.arange(len(self.k)), self.length - 1",
                new="torch.arange(len(self.k)), self.length",
                killed_by="plain",
            ),
            Mutant(
                "a slot that nothing was written to has a position below -1",
                old=".clamp(min=-1)",
                new="",
                killed_by="empty-slots",
            ),
            Mutant(
                "the empty slots are seen, as keys of zeros",
                old="(key >= 0) & ",
                new="",
                killed_by="empty-slots",
            ),
            Mutant(
                "the mask compares positions of queries with numbers of slots",
                old="self.positions()\n",
                new="torch.arange(len(self.k))\n",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the queries are counted from position 0",
                old="torch.arange(first, self.length)",
                new="torch.arange(len(q))",
                killed_by="plain",
            ),
            Mutant(
                "the window holds `window` tokens beside the token itself: it is one too wide",
                old="key > query - self.window",
                new="key >= query - self.window",
                killed_by="outside-window",
            ),
            Mutant(
                "everything in the ring is seen, however old",
                old=" & (key > query - self.window)",
                new="",
                killed_by="outside-window",
            ),
            Mutant(
                "the tokens of a chunk see the later ones of the same chunk",
                old=" & (key <= query)",
                new="",
                killed_by="ragged",
            ),
            Mutant(
                "a query that has lost a key is answered without it",
                old="first < 0 or oldest < self.length - len(self.k)",
                new="first < 0",
                killed_by="refused",
            ),
            Mutant(
                "more queries than there are tokens are answered",
                old="first < 0 or ",
                new="",
                killed_by="refused",
            ),
            Mutant(
                "queries are refused although all their keys are in the ring",
                old="oldest < self.length - len(self.k)",
                new="oldest <= self.length - len(self.k)",
                killed_by="refused",
            ),
            Mutant(
                "queries are refused in a ring shorter than window and chunk need, even if no key has been replaced",
                old="oldest < self.length - len(self.k)",
                new="self.window + len(q) - 1 > len(self.k)",
                killed_by="empty-slots",
            ),
            Mutant("the scores are not scaled", old="q.shape[-1] ** -0.5 * ", new="", killed_by="plain"),
            Mutant(
                "every token that ever came is kept as well",
                old="slots, n = len(self.k), len(k)",
                new="slots, n = len(self.k), len(k)\n        self.all = [*getattr(self, 'all', []), k.clone()]",
                killed_by="memory",
                hint=1,
            ),
        ],
        hints=[
            "Everything follows from one rule: token p lies in slot p % slots. Where the next token goes, who is "
            "replaced, and which token a slot holds can all be computed from `length` alone.",
            "append: the positions of the new tokens are length, length + 1, ...; of more than `slots` take the last. "
            "positions: the newest token is length - 1; the one in slot c is (length - 1 - c) % slots older. attend: "
            "the mask of the window, with positions() in place of 0, 1, 2, ...; order does not matter to a softmax.",
            "4 slots, 6 tokens: token 4 replaced token 0 in slot 0, token 5 replaced token 1. For slot 2: (5 - 2) % 4 "
            "= 3, so its token is 5 - 3 = 2; the ring holds [4, 5, 2, 3]. After 2 tokens only, slot 3 gives (1 - 3) % "
            "4 = 2 and 1 - 2 = -1: empty. With a window of 3 two queries, at 4 and 5, need keys from 2 on: they are "
            "there. Three queries need key 1, which is gone: LookupError.",
        ],
    ),
    Exercise(
        function=long_context.sink_attention,
        oracle=banded,
        outputs=O_ONLY,
        points=1,
        backend="torch",
        forbidden=FORBIDDEN,
        cases=SINKS,
        without=ITSELF | {"ragged": "the mask is one piece; nothing is cut into tiles"},
        mutants=[
            *band_mutants(),
            Mutant("the sinks are forgotten", old=" | (key < sinks)", new="", killed_by="plain", hint=1),
            Mutant(
                "the sinks are counted from the first query, as if the cached tokens were none of the text",
                old="key < sinks",
                new="key < sinks + n_k - n_q",
                killed_by="half-cached",
            ),
            Mutant("there is one sink too many", old="key < sinks", new="key <= sinks", killed_by="plain"),
            Mutant(
                "the sinks take their room from the window, which is narrower by as many tokens",
                old="query - window",
                new="query - window + sinks",
                killed_by="plain",
            ),
            Mutant(
                "the sinks come on top of the window, which is wider by as many tokens",
                old="query - window",
                new="query - window - sinks",
                killed_by="plain",
            ),
            Mutant(
                "a key that is both near and first is counted twice",
                old="s = (scale * (q @ k.T))",
                new="twice = (key < sinks) & (key > query - window)\n"
                "    s = (scale * (q @ k.T) + 0.6931471805599453 * twice)",
                killed_by="plain",
                hint=3,
            ),
            Mutant(
                "a key has to be both near and among the first to be seen",
                old="(key > query - window) | (key < sinks)",
                new="(key > query - window) & (key < sinks)",
                killed_by="plain",
                hint=1,
            ),
            Mutant(
                "the first tokens see sinks that come after them",
                old="(key <= query) & ((key > query - window) | (key < sinks))",
                new="((key <= query) & (key > query - window)) | (key < sinks)",
                killed_by="plain",
            ),
            Mutant(
                "the window is lost: a token sees all that came before it",
                old="(key > query - window) | (key < sinks)",
                new="(key > -1)",
                killed_by="plain",
                hint=1,
            ),
        ],
        hints=[
            "A token may see a key for either of two reasons: it is near, or it is one of the first. And never one "
            "that comes later.",
            "Take the mask of window_attention and let `or` widen its left edge: key < sinks. Causality stands outside "
            "of that `or`.",
            "Window 2, one sink, query 4: near are keys 3 and 4, first is key 0, so it sees 0, 3, 4. Query 1 sees 0 "
            "and 1; key 0 is both near and first, and is counted once. Query 0 sees itself.",
        ],
    ),
    Exercise(
        function=long_context.long_prefill,
        oracle=banded_in_chunks,
        outputs=O_ONLY,
        points=3,
        backend="torch",
        forbidden=FORBIDDEN,
        cases=LONG,
        without=ITSELF,
        budget=Budget(
            memory=long_memory,
            memory_is="4 bytes * (N_q d_v + M (d + d_v) + 6 chunk (M + d_v)) with M = sinks + window + chunk - 1",
        ),
        mutants=[
            Mutant(
                "the keys of a chunk begin one too late for its first token",
                old="first - window + 1",
                new="first - window + 2",
                killed_by="plain",
            ),
            Mutant(
                "the keys of a chunk begin where the window of its last token begins",
                old="first - window + 1",
                new="known - window",
                killed_by="plain",
            ),
            Mutant(
                "where window and sinks overlap, the sinks are taken twice",
                old="max(first - window + 1, sinks)",
                new="max(first - window + 1, 0)",
                killed_by="plain",
            ),
            Mutant(
                "near the start of the text the slice begins at a negative position, which counts from the text's end",
                old="max(first - window + 1, sinks)",
                new="first - window + 1",
                killed_by="plain",
            ),
            Mutant(
                "sinks are taken that come after the chunk",
                old="min(sinks, known)",
                new="sinks",
                killed_by="chunks-in-sinks",
            ),
            Mutant(
                "the sinks are left out of the keys",
                old="min(sinks, known)",
                new="0",
                killed_by="plain",
            ),
            Mutant(
                "the sinks are among the keys, but are not named as sinks",
                old="values, window, sinks, scale",
                new="values, window, 0, scale",
                killed_by="plain",
            ),
            Mutant(
                "every key of a chunk's slice is seen by the whole chunk: the window is not handed on",
                old="values, window, sinks, scale",
                new="values, len(keys), sinks, scale",
                killed_by="plain",
            ),
            Mutant(
                "the scale is not handed on",
                old="sinks, scale)",
                new="sinks)",
                killed_by="scaled",
            ),
            Mutant(
                "the last chunk is dropped when it is ragged",
                old="range(0, n_q, chunk)",
                new="range(0, n_q - chunk + 1, chunk)",
                killed_by="ragged",
            ),
            Mutant(
                "chunks are counted from position 0, as if nothing were cached",
                old="i + n_k - n_q, stop + n_k - n_q",
                new="i, stop",
                killed_by="half-cached",
            ),
            Mutant(
                "every chunk takes all keys before it, as if there were no window",
                old="max(first - window + 1, sinks)",
                new="sinks",
                killed_by="memory",
                hint=1,
            ),
            Mutant(
                "the whole text is one chunk",
                old="range(0, n_q, chunk):",
                new="[0]:\n        chunk = n_q",
                killed_by="memory",
                hint=1,
            ),
        ],
        hints=[
            "A chunk needs the sinks and one slice of the keys. Cut those out, put them side by side, and "
            "sink_attention does the rest: its mask compares only distances, and the sinks are still the first keys.",
            "The slice begins at the oldest key that the chunk's first token sees and ends behind the chunk's last "
            "token. Where it would begin among the sinks, begin it behind them; and take no sinks beyond the chunk's "
            "end.",
            "Window 3, two sinks, chunk of 2 at positions 6 and 7: sinks 0 and 1, slice from 6 - 3 + 1 = 4 to 7, so "
            "keys 0, 1, 4, 5, 6, 7. At positions 2 and 3 the slice would begin at 0; it begins at 2, and the keys are "
            "0, 1, 2, 3. The chunk at position 0 and 1 takes keys 0 and 1 as sinks and an empty slice.",
        ],
    ),
]

QUESTIONS = [
    Question(
        name="chunk_megabytes",
        ask="A prompt of 131072 tokens in chunks of 512: how many megabytes (10^6 bytes) do the scores of the last "
        "chunk take, one head, float32?",
        answer=268.4,
        rel=0.01,
        why="512 queries by 131072 keys, 4 bytes each: 2.684e8 bytes = 268 MB. In one piece they would be 256 times as "
        "many, 68.7 GB.",
        unit="MB",
    ),
    Question(
        name="reach_of_layers",
        ask="Every layer of a model has a window of 4096 tokens, the token itself included, and there are 32 layers. "
        "How many tokens back can what a token knows come from?",
        answer=131040,
        rel=0.001,
        why="Each layer reaches 4095 tokens further back: 32 * 4095 = 131040.",
        unit="tokens",
    ),
    Question(
        name="token_in_slot",
        ask="A ring of 8 slots has taken 21 tokens, numbers 0 to 20. Which one lies in slot 3?",
        answer=19,
        rel=0,
        why="The ring holds the last eight, 13 to 20, and 19 = 2 * 8 + 3 is the one with remainder 3.",
    ),
    Question(
        name="slots_for_a_chunk",
        ask="A window of 4096 and chunks of 512, which are appended before they are attended to: how many slots must "
        "the ring have at least?",
        answer=4607,
        rel=0,
        why="The chunk's first token looks back 4095 tokens, and with it come the 512 of the chunk: 4096 + 512 - 1.",
        unit="slots",
    ),
    Question(
        name="growth_without_sink",
        ask="The first token has weight 0.8 in a query's softmax. It falls out of the window, all other keys stay. By "
        "what factor do their weights grow?",
        answer=5,
        rel=0.01,
        why="They summed to 0.2 and must sum to 1 now: each is divided by 0.2.",
    ),
]
