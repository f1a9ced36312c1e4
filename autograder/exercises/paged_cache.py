"""A paged cache of keys and values."""

from __future__ import annotations

import contextlib
import math
from dataclasses import replace
from math import ceil
from typing import Any

import numpy as np
import torch
from numpy.random import Generator

from autograder.exercises.draws import NOTHING_MULTIPLIED, drawn, metered, swapped
from autograder.spec.exercise import Arguments, Bound, Budget, Case, Exercise, Output, Quantity, Question, once
from kernels import paged_cache
from kernels.oracles import paged_cache as right
from kernels.paged_cache import NotHeld, OutOfBlocks, WrongSequence

Step = tuple[str, Arguments]

NO_SCORES = {
    name: "no scores are computed here"
    for name in ("rising max", "large positive", "very negative", "masked row", "cross", "grouped")
}


# Operations.


# A case tells the same story for every seed, but with other answers, so that it is of no use to remember those of the
# public seed. The numbers of blocks change too, except in the smallest cases and those that are drawn (see `trace`).


def few_blocks(rng: Generator) -> Arguments:
    """Some blocks are allocated, one of them is freed, and one more is allocated."""
    n = int(rng.integers(3, 9))
    freed = int(rng.integers(n - 1))  # not the last of them
    found: list[Step] = [("allocate", {"n": n}), ("free", {"blocks": [freed]}), ("allocate", {"n": 1})]
    return {"init": {"n_blocks": n + int(rng.integers(1, 13))}, "steps": counted(found)}


def counted(given: list[Step]) -> list[Step]:
    """The counts are looked at after each step."""
    return [step for operation in given for step in (operation, ("counts", {}))]


@drawn
def allocator_steps(rng: Generator, /, operations: str, n_free: int) -> Arguments:
    """The operations, one letter each: a3 allocates three, s0 shares block 0, f0,1 frees two blocks, f none.

    Before them all blocks but n_free, which the seed scatters, are allocated. Block 0 of the operations is the first of
    the free ones.
    """
    last = int(rng.integers(n_free + 2, 13))  # has not been allocated yet
    scattered = np.sort(rng.permutation(last)[: n_free - 1]).tolist()
    blocks = [*scattered, last]
    found: list[Step] = [("allocate", {"n": last}), ("free", {"blocks": scattered})]
    for word in operations.split():
        numbers = [int(number) for number in word[1:].split(",") if number]
        name = {"a": "allocate", "s": "share", "f": "free"}[word[0]]
        named = {"n": numbers[0]} if name == "allocate" else {"blocks": [blocks[number] for number in numbers]}
        found.append((name, named))
    return {"init": {"n_blocks": last + 1}, "steps": counted(found)}


@drawn
def many_calls(rng: Generator, /, n: int) -> Arguments:
    """The same few blocks are allocated, shared and freed n times, beside one that is held throughout."""
    last = int(rng.integers(3, 8))
    found: list[Step] = [("allocate", {"n": last + 1}), ("free", {"blocks": list(range(last))})]
    for _ in range(n):
        blocks = list(range(int(rng.integers(1, last))))
        found += [("allocate", {"n": len(blocks)}), ("share", {"blocks": [*blocks, last]})]
        found += [("free", {"blocks": [*blocks, last, *blocks]})]
    return {"init": {"n_blocks": last + 1}, "steps": counted(found[:4]) + found[4:] + [("counts", {})]}


@drawn
def random_allocator(rng: Generator, /, n_blocks: int, n: int) -> Arguments:
    """n operations; about one in six is refused."""
    model, found = right.AllocatorModel(n_blocks), []
    for _ in range(n):
        held = [block for block, count in enumerate(model.holders) if count]
        name = rng.choice(["allocate", "allocate", "share", "free", "free"])
        blocks = rng.choice(held, min(len(held), int(rng.integers(1, 4))), replace=False).tolist() if held else [0]
        if rng.random() < 0.1:
            blocks.append(int(rng.integers(n_blocks)))
        given = {"n": int(rng.integers(4))} if name == "allocate" else {"blocks": blocks}
        found += [(str(name), given), ("counts", {})]
        with contextlib.suppress(OutOfBlocks, NotHeld):
            getattr(model, name)(**given)
    return {"init": {"n_blocks": n_blocks}, "steps": found}


SHAPE = {"block_size": 4, "n_heads": 1, "d": 2}


def tokens(rng: Generator, n: int, n_heads: int = 1, d: int = 2, views: bool = False) -> Arguments:
    """Keys and values of n tokens, of which the heads may lie inside the tokens, as a model leaves them."""
    new = {name: rng.standard_normal((n_heads, n, d)).astype(np.float32) for name in "kv"}
    return {name: swapped(x, 0, 1) for name, x in new.items()} if views else new


@drawn
def cache_steps(rng: Generator, /, operations: str, n_blocks: int, views: bool = False, **shape: int) -> Arguments:
    """The operations: 0+5 appends five tokens to sequence 0, 0>1 forks it to 1, 0! frees it, 0= gathers it.

    9* appends as many tokens to sequence 9 as the seed says, for whose blocks the pool has room beside the n_blocks.
    After each operation the counts are looked at, and the table and the contents of all sequences that there are.
    """
    shape = SHAPE | shape
    drawn = drawn_tokens(rng, operations, shape["block_size"])
    pool = n_blocks + sum(ceil(n / shape["block_size"]) for n in drawn.values())
    model, found = right.CacheModel(pool, **shape), []
    for word in operations.split():
        sequence = int(word[0])
        step: Step
        if word[1] in "+*":
            more = tokens(rng, drawn.get(word) or int(word[2:]), shape["n_heads"], shape["d"], views)
            step = ("append", {"sequence": sequence} | more)
        elif word[1] == ">":
            step = ("fork", {"parent": sequence, "child": int(word[2:])})
        else:
            step = ("free" if word[1] == "!" else "gather", {"sequence": sequence})
        found += [step, *looked_at(model, step)]
    return {"init": {"n_blocks": pool} | shape, "steps": found}


@drawn
def many_forks(rng: Generator, /, forks: int) -> Arguments:
    """A sequence of 20 tokens, which ends; one of 45 to 63 tokens, asked for when it has one, forks of it, which all
    grow by one token, and a pool with no block to spare.
    """
    shape = SHAPE | {"n_heads": 2, "d": 16}
    n = 4 * int(rng.integers(11, 16)) + int(rng.integers(1, 4))  # the last block is filled in part
    few: list[Step] = [("append", {"sequence": 0} | tokens(rng, 20, 2, 16)), ("gather", {"sequence": 0})]
    found: list[Step] = [*few, ("free", {"sequence": 0}), ("append", {"sequence": 0} | tokens(rng, 1, 2, 16))]
    found += [("gather", {"sequence": 0}), ("append", {"sequence": 0} | tokens(rng, n - 1, 2, 16))]
    found += [("fork", {"parent": 0, "child": fork}) for fork in range(1, forks + 1)]
    found += [("append", {"sequence": fork} | tokens(rng, 1, 2, 16)) for fork in range(1, forks + 1)]
    found += [("gather", {"sequence": forks}), ("counts", {})]
    return {"init": {"n_blocks": ceil(n / shape["block_size"]) + forks} | shape, "steps": found}


@drawn
def one_by_one(rng: Generator, /, n: int) -> Arguments:
    """n tokens, one at a time, in a pool with room for many more."""
    shape = SHAPE | {"n_heads": 2, "d": 16}
    found: list[Step] = [("append", {"sequence": 0} | tokens(rng, 1, 2, 16)) for _ in range(n)]
    return {"init": {"n_blocks": 100} | shape, "steps": [*found, ("gather", {"sequence": 0}), ("counts", {})]}


@drawn
def prefix_one_by_one(rng: Generator, /, n: int) -> Arguments:
    """A prompt of n tokens, which come one at a time, in blocks of 16 and a pool with no block to spare."""
    whole = rng.integers(900, size=n).tolist()
    found: list[Step] = [("start", {"sequence": 0, "tokens": whole})]
    found += [("extend", {"sequence": 0, "tokens": [token]} | tokens(rng, 1, 2, 16)) for token in whole]
    init = {"n_blocks": ceil(n / 16), "block_size": 16, "n_heads": 2, "d": 16}
    return {"init": init, "steps": [*found, ("gather", {"sequence": 0}), ("counts", {})]}


@drawn
def in_large_blocks(rng: Generator, /, n: int, n_blocks: int, asked: int) -> Arguments:
    """n tokens, one at a time, and after each `asked` of them they are gathered."""
    found: list[Step] = []
    for i in range(1, n + 1):
        found.append(("append", {"sequence": 0} | tokens(rng, 1, 2, 4)))
        found += [("gather", {"sequence": 0})] * (i % asked == 0)
    return {"init": {"n_blocks": n_blocks, "block_size": 64, "n_heads": 2, "d": 4}, "steps": [*found, ("counts", {})]}


@drawn
def many_prompts(rng: Generator, /, prompts: int) -> Arguments:
    """Prompts that begin with the same 44 to 63 tokens, all held at a time, when nearly all blocks are full.

    Then all but the first end, and others, with no token in common, come and go one after another.
    """
    shape = SHAPE | {"n_heads": 2, "d": 16}
    key, n = int(rng.integers(1 << 30)), int(rng.integers(44, 64))
    first = rng.integers(900, size=n).tolist()
    model, found = right.PrefixModel(100, **shape), []
    held = []

    def do(method: str, **given: Any) -> None:
        found.append((method, given))
        looked_at(model, found[-1])
        held.append(int(model.counts().count_nonzero()))

    def begin(sequence: int, whole: list[int]) -> None:
        do("start", sequence=sequence, tokens=whole)
        do("extend", sequence=sequence, **uncached(whole, len(model.tokens[sequence]), key, 2, 16))

    for sequence in range(prompts):
        begin(sequence, first + [1000 + sequence] * (8 - n % 4 + int(rng.integers(2))))
    found += [("gather", {"sequence": prompts - 1}), ("counts", {})]
    for sequence in range(1, prompts):
        do("free", sequence=sequence)
        begin(prompts + sequence, rng.integers(2000, 9000, size=25).tolist())
        do("free", sequence=prompts + sequence)
    found += [("gather", {"sequence": 0}), ("counts", {})]
    return {"init": {"n_blocks": max(held)} | shape, "steps": found}


def drawn_tokens(rng: Generator, operations: str, block_size: int) -> dict[str, int]:
    """How many tokens each 9* stands for: one to eight blocks, of which the last is filled in part if it can be."""
    words = [word for word in operations.split() if word[1] == "*"]
    return {word: int(block_size * rng.integers(8) + rng.integers(1, max(block_size, 2))) for word in words}


def looked_at(model: right.CacheModel, step: tuple[str, Any]) -> list[Step]:
    """What is asked after a step, which the model takes here."""
    method, given = step
    with contextlib.suppress(OutOfBlocks, WrongSequence):
        getattr(model, method)(**{name: torch.from_numpy(x) if name in "kv" else x for name, x in given.items()})
    ask: list[Step] = [("counts", {})]
    if "sequence" in given and given["sequence"] not in model.blocks:
        ask.append(("table", {"sequence": given["sequence"]}))  # WrongSequence
    for sequence in sorted(model.blocks):
        ask.append(("table", {"sequence": sequence}))
        if model.blocks[sequence] and method not in ("fork", "free"):  # which write nothing
            ask.append(("gather", {"sequence": sequence}))
            if type(model) is right.CacheModel:
                ask += [(".tables", {"sequence": sequence}), (".lengths", {"sequence": sequence})]
    return ask + [(".k", {}), (".v", {})] * ("k" in given)


@drawn
def random_cache(rng: Generator, /, n_blocks: int, n: int, **shape: int) -> Arguments:
    """n operations on at most four sequences. Some of the appends find no room."""
    shape = SHAPE | shape
    model, found = right.CacheModel(n_blocks, **shape), []
    for _ in range(n):
        there, unused = sorted(model.blocks), [s for s in range(4) if s not in model.blocks]
        chance = rng.random()
        step: Step
        if there and unused and chance < 0.2:
            step = ("fork", {"parent": int(rng.choice(there)), "child": unused[0]})
        elif there and chance < 0.35:
            step = ("free", {"sequence": int(rng.choice(there))})
        else:
            more = tokens(rng, int(rng.integers(1, 8)), shape["n_heads"], shape["d"])
            step = ("append", {"sequence": int(rng.integers(4))} | more)
        found += [step, *looked_at(model, step)]
    return {"init": {"n_blocks": n_blocks} | shape, "steps": renamed(rng, found)}


def renamed(rng: Generator, steps: list[Step]) -> list[Step]:
    """The same with other numbers for the sequences 0 to 3: which, is for the caller to say."""
    names, named = rng.integers(1 << 40, size=4).tolist(), ("sequence", "parent", "child")
    return [
        (method, {name: names[value] if name in named else value for name, value in given.items()})
        for method, given in steps
    ]


def uncached(whole: list[int], cached: int, key: int, n_heads: int = 1, d: int = 2) -> Arguments:
    """The tokens of a sequence after the cached ones. Keys and values depend on the sequence and `key` alone."""
    prefixes = [whole[:end] for end in range(cached + 1, len(whole) + 1)]
    rows = [np.random.default_rng([key, *prefix]).standard_normal((n_heads, d)) for prefix in prefixes]
    k = np.stack(rows, axis=1).astype(np.float32)
    return {"tokens": whole[cached:], "k": k, "v": -k}


@drawn
def prefix_steps(
    rng: Generator, /, operations: str, n_blocks: int = 12, digits: bool = False, **shape: int
) -> Arguments:
    """The operations, in which letters are tokens; the seed says which token the letter a is.

    The next ones lie 2^16 apart. Or the seed says which `digits` a token has: letter n the same one n times.

    0?abcd starts sequence 0 with a prompt, 0+abcde extends it to these tokens, 0>1 forks it to 1, 0! frees it.
    9* starts sequence 9 with tokens of its own, as in `cache_steps`. After each operation everything is looked at.
    """
    shape = SHAPE | shape
    drawn = drawn_tokens(rng, operations, shape["block_size"])
    key, first, digit = int(rng.integers(1 << 30)), int(rng.integers(900)), str(rng.integers(1, 10))
    pool = n_blocks + sum(ceil(n / shape["block_size"]) for n in drawn.values())
    model, found = right.PrefixModel(pool, **shape), []

    def do(step: Step) -> None:
        found.extend([step, *looked_at(model, step)])

    def extend(sequence: int, tokens: list[int]) -> None:
        cached = len(model.tokens.get(sequence, []))
        do(("extend", {"sequence": sequence} | uncached(tokens, cached, key, d=shape["d"])))

    for word in operations.split():
        sequence, numbers = int(word[0]), [ord(letter) - ord("a") for letter in word[2:]]
        what = [int((n + 1) * digit) if digits else first + (n << 16) for n in numbers]
        if word[1] == "*":
            what = list(range(1000, 1000 + drawn[word]))
            do(("start", {"sequence": sequence, "tokens": what}))
            extend(sequence, what)
        elif word[1] == "?":
            do(("start", {"sequence": sequence, "tokens": what}))
        elif word[1] == "+":
            extend(sequence, what)
        elif word[1] == ">":
            do(("fork", {"parent": sequence, "child": int(word[2:])}))
        else:
            do(("free", {"sequence": sequence}))
    return {"init": {"n_blocks": pool} | shape, "steps": found}


@drawn
def random_prefix(rng: Generator, /, n_blocks: int, n: int) -> Arguments:
    """n operations on at most four sequences whose tokens come from three stories with a common prefix."""
    key, first = int(rng.integers(1 << 30)), rng.integers(1, 9, 20).tolist()
    stories = [first, first[:8] + rng.integers(1, 9, 12).tolist(), first[:4] + rng.integers(1, 9, 16).tolist()]
    model, found, of = right.PrefixModel(n_blocks, **SHAPE), [], {}
    for _ in range(n):
        there, unused = sorted(model.blocks), [s for s in range(4) if s not in model.blocks]
        chance = rng.random()
        todo: list[Step] = []
        longer = [s for s in there if len(model.tokens[s]) < 20]
        if unused and (chance < 0.4 or not there):
            story = of[unused[0]] = stories[rng.integers(3)]
            prompt = story[: int(rng.integers(1, 16))]
            todo.append(("start", {"sequence": unused[0], "tokens": prompt}))
        elif longer and chance < 0.75:
            sequence = int(rng.choice(longer))
            length = len(model.tokens[sequence])
            end = min(20, length + int(rng.integers(1, 9)))
            more = uncached(model.tokens[sequence] + of[sequence][length:end], length, key)
            todo.append(("extend", {"sequence": sequence} | more))
        elif unused and chance < 0.85 and (parents := [s for s in there if model.tokens[s]]):
            parent = int(rng.choice(parents))
            of[unused[0]] = of[parent][: len(model.tokens[parent])] + rng.integers(1, 9, 20).tolist()
            todo.append(("fork", {"parent": parent, "child": unused[0]}))
        elif there:
            todo.append(("free", {"sequence": int(rng.choice(there))}))
        for step in todo:
            found += [step, *looked_at(model, step)]
    return {"init": {"n_blocks": n_blocks} | SHAPE, "steps": renamed(rng, found)}


BASES = (10, 31, 37, 100, 101, 128, 131, 256, 257, 512, 1000, 1009, 1024, 4096, 10_007, 32_768, 50_257, 65_536, 65_537)


@drawn
def carried(rng: Generator, /) -> Arguments:
    """A prompt, and others that a name with the tokens as its digits, to some base, takes for the same.

    One token is larger by one, and a neighbour smaller by the base. Or the sums of the tokens are the same, and of the
    tokens times their places too.
    """
    first, last = (int(x) for x in 70_000 + rng.integers(30_000, size=2))
    middle = rng.integers(1000, 30_000, size=2).tolist()
    whole = [first, *middle, last, int(rng.integers(1000))]
    changes = [change for base in BASES for change in ((0, 0, 1, -base), (-base, 1, 0, 0))] + [(1, -2, 1, 0)]
    shape = SHAPE | {"n_blocks": 3}
    found: list[Step] = [("start", {"sequence": 0, "tokens": whole})]
    found.append(("extend", {"sequence": 0} | uncached(whole, 0, int(rng.integers(1 << 30)))))
    for change in changes:
        other = [token + more for token, more in zip(whole, (*change, 0), strict=True)]
        found += [("start", {"sequence": 1, "tokens": other}), ("free", {"sequence": 1})]
    return {"init": shape, "steps": [*found, ("gather", {"sequence": 0})]}


@drawn
def one_changed(rng: Generator, /) -> Arguments:
    """A prompt of two long blocks and a token, and others that differ from it in one bit, or in two neighbours' order.

    Half of the tokens are 0, 1, or 2, the others 2^30 more.
    """
    size = int(rng.integers(17, 33))
    whole = (rng.integers(3, size=2 * size + 1) + (rng.integers(2, size=2 * size + 1) << 30)).tolist()
    found: list[Step] = [("start", {"sequence": 0, "tokens": whole})]
    found.append(("extend", {"sequence": 0} | uncached(whole, 0, int(rng.integers(1 << 30)), 2, 128)))
    for i, place in enumerate(rng.permutation(2 * size).tolist()):
        pair = whole[place : place + 2]
        for other in ([pair[0] ^ 1, pair[1]], [pair[0] ^ 1 << i % 31, pair[1]], pair[::-1]):
            given = [*whole[:place], *other, *whole[place + 2 :]]
            found += [("start", {"sequence": 1, "tokens": given}), ("free", {"sequence": 1})]
    init = {"n_blocks": 3, "block_size": size, "n_heads": 2, "d": 128}
    return {"init": init, "steps": [*found, ("gather", {"sequence": 0})]}


# Pairs of blocks that CRC-32 takes for one, then Adler-32, whatever stands before and behind: as text with one
# character between tokens, with two; as whole numbers of 64 bits, their lowest byte first or last; of 32 bits likewise.
SAME_CHECKSUM = [
    ([42251, 88039, 21629, 48874], [59371, 71760, 93908, 70318]),
    ([23726, 95238, 98775, 86713], [14173, 75760, 39150, 90764]),
    ([87284, 27229, 69526, 50427], [57235, 37746, 58596, 19810]),
    ([53487, 97698, 95769, 21591], [34490, 51570, 51551, 94415]),
    ([59850, 19517, 61192, 87447], [32466, 91174, 20272, 77391]),
    ([91290, 38996, 44683, 68460], [66174, 73006, 89394, 44544]),
    ([85802, 47333, 45594, 74822], [64618, 33278, 64408, 45590]),
    ([18166, 30452, 32811, 98727], [62554, 10128, 69240, 26768]),
    ([15857, 25654, 48621, 18118], [94934, 17998, 27891, 85237]),
    ([19665, 66503, 40135, 67607], [87244, 55822, 11992, 85772]),
    ([65249, 12669, 89408, 61601], [31995, 25587, 78641, 59044]),
    ([16263, 38198, 21209, 39701], [85890, 15947, 39167, 92177]),
]


@drawn
def same_checksum(rng: Generator, /) -> Arguments:
    """Prompts of a block and a token, each before another prompt whose block has the same checksum of 32 bits."""
    key, found = int(rng.integers(1 << 30)), list[Step]()
    for pair in SAME_CHECKSUM:
        known, other = [[*block, int(rng.integers(1000))] for block in (pair if rng.integers(2) else pair[::-1])]
        found += [("start", {"sequence": 0, "tokens": known}), ("extend", {"sequence": 0} | uncached(known, 0, key))]
        found += [("start", {"sequence": 1, "tokens": other}), ("free", {"sequence": 1})]
        found += [("gather", {"sequence": 0}), ("free", {"sequence": 0})]
    return {"init": SHAPE | {"n_blocks": 3}, "steps": found}


@drawn
def many_names(rng: Generator, /, n: int) -> Arguments:
    """A prompt of n tokens in blocks of one, and the same again."""
    prompt = rng.integers(30_000, size=n + 1).tolist()
    found: list[Step] = [("start", {"sequence": 0, "tokens": prompt[:n]})]
    found.append(("extend", {"sequence": 0, "tokens": prompt[:n]} | tokens(rng, n, 2, 64)))
    found += [("start", {"sequence": 1, "tokens": prompt}), ("table", {"sequence": 1}), ("gather", {"sequence": 0})]
    return {"init": {"n_blocks": n + n // 10, "block_size": 1, "n_heads": 2, "d": 64}, "steps": found}


# What the methods of the classes return.

BLOCKS = tuple(Output(f"result[{i}]", "int64", exact=True, memory="copy") for i in range(12))
COUNTS = (Output("counts", "int64", exact=True, memory="copy"),)
CACHE = {
    "append": (),
    "fork": (),
    "free": (),
    "gather": (Output("k", memory="copy"), Output("v", memory="copy")),
    "table": (Output("table", "int32", exact=True, memory="copy"),),
    "counts": COUNTS,
    ".k": (Output("k", memory="view", has_gaps=True),),
    ".v": (Output("v", memory="view", has_gaps=True),),
    ".tables": (Output("blocks", "int64", exact=True),),
    ".lengths": (Output("tokens", "int64", exact=True),),
}

# Cases of the allocator.

WHOLE_POOL = "all blocks that are free are allocated at once, freed, and allocated again"
TOO_MANY = "three blocks are wanted and two are free: OutOfBlocks, and both are still free"
THRICE = "a block that is held three times is freed three times"
LOWEST = "blocks come back in another order than they went out"
TWICE_NAMED = "a block with one holder is named twice in one call: NotHeld, and it is still held"
TWICE_SHARED = "a block that is named twice in one call of share has two holders more"
MANY_HOLDERS = "a block gets 300 holders, one of which keeps it"
MORE_NAMED = "a block with two holders is named three times, one with one holder twice, apart from each other: NotHeld"
NOTHING = "no block is allocated, shared and freed; none is allocated when none is free"
HALF_FREE = "of six blocks to free the last, the first or the fourth is free: NotHeld, and the others are still held"
HALF_SHARED = "of six blocks to share the last, the first or the fourth is free: NotHeld, and the others are held once"
MANY_CALLS = "memory: blocks are allocated, shared and freed 1500 times; nothing is kept of what was freed"
ALLOCATOR = [
    Case("plain", "some blocks are allocated, one of them is freed, and allocated again", few_blocks),
    Case("single", "fifteen operations on one block", random_allocator(1, 15)),
    Case("whole-pool", WHOLE_POOL, allocator_steps("a4 f0,1,2,3 a4", 4)),
    Case("too-many", TOO_MANY, allocator_steps("a2 a3 a2", 4)),
    Case("held-thrice", THRICE, allocator_steps("a2 s1 s1 f1 f1 f1 a1", 3)),
    Case("out-of-order", LOWEST, allocator_steps("a4 f2 f0 f3 a1 a2", 4)),
    Case("freed-twice", "a block is freed a second time: NotHeld", allocator_steps("a2 f1 f1 a2", 4)),
    Case("named-twice", TWICE_NAMED, allocator_steps("a2 f1,1 s1 f1,1 a1", 4)),
    Case("shared-twice", TWICE_SHARED, allocator_steps("a2 s1,1 f1,1 s0,1 f1,1 f0,0 a2", 4)),
    Case("named-apart", MORE_NAMED, allocator_steps("a3 s0 s2 f0,0,0 f1,0,1 f1,1,2 f0,1,0 a1", 4)),
    Case("nothing", NOTHING, allocator_steps("a2 a0 s f a2 a0 a1", 4)),
    Case("many-holders", MANY_HOLDERS, allocator_steps(f"a2 s{'1,' * 299} f{'1,' * 299} s1 f1,1 a1", 4)),
    Case("half-free", HALF_FREE, allocator_steps("a5 f0,1,2,3,4,6 f6,0,1,2,3,4 f0,1,2,6,3,4 a1", 7)),
    Case("half-shared", HALF_SHARED, allocator_steps("a5 s0,1,2,3,4,6 s6,0,1,2,3,4 s0,1,2,6,3,4 f0 a1", 7)),
    metered("many-calls", MANY_CALLS, many_calls(1500)),
    Case("random-small", "thirty operations on six blocks", random_allocator(6, 30)),
    Case("random-large", "fifty operations on sixteen blocks", random_allocator(16, 50)),
]


# Cases of the cache.

FORKED_FULL = "a fork of exactly two blocks: nothing has to be copied"
LAST_HOLDER = "a fork ends before its parent grows: the last block has one holder again, and nothing is copied"
COPY_ONLY = (
    "there is room for the copy of the shared block, but not for the block after it: nothing changes; then both fit"
)
FORKED_ANYWHERE = "forks of one to seven tokens; then one branch grows by a token, and the other by a dozen"
MANY_BLOCKS = "a sequence of 271 blocks of one token, of which the last have low numbers; 40 tokens more do not fit"
MISNAMED = "sequences that do not exist are forked, freed and gathered, and forks take numbers that are in use"
THIRD = "a third holder of a block that is filled in part: two of them copy it, and the last one keeps it"
COPY_FULL = "there is room for the new token, but not for the copy of the shared block: OutOfBlocks"
NEW_FULL = "a new sequence finds no room and does not begin; later there is room"
SINGLES = "memory: 200 tokens, one at a time, of which nothing but they themselves and a block is copied"
MANY_FORKS = "memory: nine forks of some 50 tokens, which all grow by one: they share all blocks but the last"
LARGE_BLOCKS = "memory: 150 tokens, one at a time, in blocks of 64, of which nothing is written again"
LARGE_POOL = "memory: the same in a pool of 200 blocks, of which each gather copies its own alone"
BLOCK_OF_ONE = "blocks of one token: no block is ever filled in part"
HEADS = "three KV heads, blocks of 3 tokens; what comes are transposed views"
RANDOM_LARGE = "sixteen operations, 24 blocks of 3, two heads"
EACH_FILL = " ".join(f"0+{n} 0>1 {branches} 0! 1!" for n in (1, 2, 3, 5, 6, 7) for branches in ("1+1 0+12", "0+12 1+1"))
PAGED = [
    Case("plain", "two sequences in blocks of four, whose last blocks have room for more", cache_steps("0* 1*", 2)),
    Case("single", "a single token, at position 0", cache_steps("0+1", 1)),
    Case("full-blocks", "the tokens fill their blocks exactly, and then comes one more", cache_steps("9* 0+8 0+1", 4)),
    Case("token-by-token", "nine tokens, one at a time", cache_steps("9* " + "0+1 " * 9, 4), ("ragged",)),
    Case("fork", "a fork of six tokens; then both grow", cache_steps("0+6 0>1 1+1 0+2", 6)),
    Case("parent-grows", "a fork of six tokens; then only the parent grows", cache_steps("9* 0+6 0>1 0+3", 6)),
    Case("fork-full-blocks", FORKED_FULL, cache_steps("9* 0+8 0>1 1+1 0+2", 6)),
    Case("fork-ends", LAST_HOLDER, cache_steps("0+6 0>1 1! 0+1", 6)),
    Case("number-reused", "a sequence ends and its number is used again", cache_steps("9* 0+8 1+3 0! 0+2 1+2", 6)),
    Case("refused", "eight more tokens do not fit, four do", cache_steps("9* 0+5 1+4 0+8 0+4", 4)),
    Case("room-for-copy-only", COPY_ONLY, cache_steps("9* 0+6 2+1 0>1 1+3 0+3 1+1 2! 0+3", 4)),
    Case("third-holder", THIRD, cache_steps("9* 0+6 0>1 1>2 2+1 0+1 1+1 0! 2+3", 5)),
    Case("forked-anywhere", FORKED_ANYWHERE, cache_steps(EACH_FILL, 8)),
    Case("many-blocks", MANY_BLOCKS, cache_steps("0+3 1+140 1+126 0! 1+5 1+40 2+1 1!", 306, block_size=1, d=80)),
    Case("wrong-sequence", MISNAMED, cache_steps("0+6 3>1 0>0 0>1 0>1 1>0 3! 3= 1! 1! 1= 0>1 1+1", 3)),
    Case("no-room-for-copy", COPY_FULL, cache_steps("9* 0+6 0>1 1+1 1! 0+1", 2)),
    Case("no-room-for-new", NEW_FULL, cache_steps("9* 0+9 1+6 0! 1+6", 4)),
    Case("blocks-of-one", BLOCK_OF_ONE, cache_steps("9* 0+3 0>1 1+2 0+1 1!", 8, block_size=1)),
    Case("heads", HEADS, cache_steps("9* 0+7 0>1 1+3 0+1", 8, True, n_heads=3, block_size=3, d=5), ("strided",)),
    metered("many-forks", MANY_FORKS, many_forks(9)),
    metered("one-by-one", SINGLES, one_by_one(200)),
    metered("large-blocks", LARGE_BLOCKS, in_large_blocks(150, 3, 150)),
    metered("large-pool", LARGE_POOL, in_large_blocks(150, 200, 10)),
    Case("random-small", "eighteen operations, ten blocks", random_cache(10, 18)),
    Case("random-large", RANDOM_LARGE, random_cache(24, 16, block_size=3, n_heads=2)),
]


def pool_bytes(a: Arguments) -> int:
    """Those of k and v. What is gathered, and what is made on the way, is a part of it."""
    return 4 * 2 * math.prod(a["init"].values())


def made_of_each_sequence(a: Arguments) -> int:
    """Four pools, with each gather four times its own blocks, eight times what comes, and four blocks for each fork.

    A sequence has at the most the tokens of the prompt that it was started with, and those that came.
    """
    block, lengths, made = pool_bytes(a) // int(a["init"]["n_blocks"]), dict[int, int](), 4 * pool_bytes(a)
    for method, given in a["steps"]:
        if method == "start":
            lengths[given["sequence"]] = len(given["tokens"])
        elif "k" in given:
            lengths[given["sequence"]] = lengths.get(given["sequence"], 0) + given["k"].shape[1]
            made += 8 * int(given["k"].nbytes + given["v"].nbytes)
        elif method == "fork":
            lengths[given["child"]] = lengths[given["parent"]]
            made += 4 * block
        elif method == "gather":
            made += 4 * block * ceil(lengths[given["sequence"]] / a["init"]["block_size"])
    return made


# Cases of the shared prefixes.


def started(key: str, name: str, operations: str, *regimes: str, **rest: Any) -> Case:
    return Case(key, name, prefix_steps(operations, **rest), regimes)


SAME_START = "two prompts of eleven and nine tokens with their first five in common, blocks of four"
CACHED_WHOLE = "a prompt of two blocks, all of it cached: the second block is left out, so that there is a query"
SAME_STEP = "two equal prompts start in one step, before either is computed; the first to be full is known"
FIRST_ENDS = "of two blocks with one name the known one is freed: the other is known from its next extend on"
SECOND_ENDS = "of two blocks with one name the one that is not known is freed"
KEPT = "the first sequence ends while another holds its blocks"
GONE = "the only sequence ends, its blocks are forgotten, and used for another sequence"
STALE = "a block that had a name is used again without one, while another block has that name"
SAME_DIGITS = "two prompts of different tokens have the same digits one after another, as 1, 11 and 11, 1 have"
CHECKSUMS = "prompts after others whose block has the same checksum of 32 bits, by CRC or by Adler"
CARRIED = "of two neighbours one token is larger by 1, and the other smaller by 10, by 31, by 256, ..."
GROWS = "memory: a prompt of 200 tokens comes one at a time, and no block that is full is written again"
MANY_PROMPTS = "memory: nine prompts share some 50 tokens; then others come and go, and nothing of them is kept"
OTHER_PAST = "equal tokens after different beginnings are different blocks"
MISSING_LINK = "the second block of a prompt is known, its first is not"
ONE_AT_A_TIME = "a block becomes full one token at a time"
FORKS = "a fork before the first token, and one in the middle of a block, which both branches fill"
NO_ROOM = "the rest of a prompt finds no room, and its sequence ends again"
PERMUTED = "blocks with the same tokens in another order, or of the same sum, and the same blocks in another order"
SHARERS = "three sequences share a block, which is known until the last of them ends, whoever made it"
RETRIED = "the rest of a prompt finds no room; when another sequence has ended other tokens come, and find it"
ONE_CHANGED = "prompts that differ from a known one in one token or in the order of two, anywhere in two long blocks"
FAR_BEFORE = "blocks of one token: equal tokens after a different first one, and then the end of the other prompt"
BEHIND_TWIN = (
    "a block whose name is taken stands before, and then between, blocks whose names are not; its sequence ends"
)
AT_BORDER = "a fork at the end of a block: the block is known before and after it, and when the parent has ended"
HEIR = "of two blocks with one name two sequences hold the second: it is known from an extend after the first is freed"
WRONG_NUMBERS = "a sequence is started that exists, and others are extended and forked that do not"
MIDDLE = "cdefghijklmnopqrstuvw"
PREFIX = [
    started("plain", SAME_START, "9* 0?abcdefghijk 0+abcdefghijk 1?abcdexyzw 1+abcdexyzw"),
    started("single", "a prompt of one token, twice", "0?a 0+a 1?a 1+a"),
    started("all-cached", CACHED_WHOLE, "0?abcdefgh 0+abcdefgh 1?abcdefgh 1+abcdefgh"),
    started("same-step", SAME_STEP, "9* 0?abcdx 1?abcdx 0+abcdx 1+abcdx 2?abcdx"),
    started("known-freed", FIRST_ENDS, "9* 0?abcdx 1?abcdx 0+abcdx 1+abcdx 0! 2?abcdx 1+abcdxy 3?abcdx"),
    started("unknown-freed", SECOND_ENDS, "9* 0?abcdx 1?abcdx 0+abcdx 1+abcdx 1! 2?abcdx"),
    started("other-past", OTHER_PAST, "9* 0?abcdefghx 0+abcdefghx 1?ijklmnopx 1+ijklmnopx 2?abcdmnopx 2+abcdmnopx"),
    started("missing-link", MISSING_LINK, "9* 0?abcdefghx 1?abcdefghx 0+abcd 1+abcdefgh 0! 2?abcdefghx 2+abcdefghx"),
    started(
        "token-by-token",
        ONE_AT_A_TIME,
        "9* 0?abcdefgh 0+a 0+ab 0+abc 0+abcd 0+abcde 0+abcdef 0+abcdefg 0+abcdefgh 1?abcdefghi",
        "ragged",
    ),
    started("still-held", KEPT, "9* 0?abcdefgh 0+abcdefgh 1?abcdx 1+abcdx 0! 2?abcdefghx 2+abcdefghx"),
    started("forgotten", GONE, "9* 0?abcdefghx 0+abcdefghx 0! 1?efghabcd 1+efghabcd 2?abcdefghx 2+abcdefghx"),
    started("stale-name", STALE, "9* 0?abcdx 0+abcdx 0! 1?xx 1+xx 2?abcdx 2+abcdx 1! 3?abcdx"),
    started("fork", FORKS, "9* 4?abc 4>5 0?abcdef 0+abcdef 0>1 1+abcdefxx 0+abcdefyy 2?abcdefxxz 3?abcdefyyz 5+ab"),
    started("no-room", NO_ROOM, "9* 0?abcdefgh 0+abcdefgh 1?abcdxxxxxx 1+abcdxxxxxx 1! 1?abcdx 1+abcdx", n_blocks=3),
    started(
        "permuted",
        PERMUTED,
        "9* 0?abcdefghx 0+abcdefghx 1?dcbaefghx 1+dcbaefghx 2?bbccefghx 2+bbccefghx 3?efghabcdx 3+efghabcdx "
        "4?efghabcdy 5?acbdx",
        n_blocks=14,
    ),
    started("same-digits", SAME_DIGITS, "9* 0?abcde 0+abcde 1?dcbae 1+dcbae", digits=True),
    Case("carried", CARRIED, carried()),
    Case("checksums", CHECKSUMS, same_checksum()),
    Case("many-names", "a prompt of 1200 blocks of one token, which all have a name, comes again", many_names(1200)),
    started(
        "third-sharer",
        SHARERS,
        "9* 0?abcdefghx 0+abcdefghx 1?abcdefghy 1+abcdefghy 2?abcdz 2+abcdz 0! 3?abcdefghz 3! 1! 3?abcdw 3! "
        "2! 4?xxxxx 4+xxxxx 3?abcdw",
    ),
    started(
        "retried",
        RETRIED,
        "9* 0?abcdefgh 0+abcdefgh 1?abcdxxxxxx 1+abcdxxxxxx 0! 1+abcdyyyyyy 2?abcdyyyyyyz",
        n_blocks=3,
    ),
    Case("one-changed", ONE_CHANGED, one_changed()),
    started(
        "far-before",
        FAR_BEFORE,
        f"0?a{MIDDLE}y 0+a{MIDDLE}y 1?b{MIDDLE}z 1+b{MIDDLE}z 2?b{MIDDLE}yx 2! 3?b{MIDDLE}zx",
        n_blocks=60,
        block_size=1,
        d=64,
    ),
    started(
        "behind-a-twin",
        BEHIND_TWIN,
        "9* 0?abcd 1?abcdefgh 0+abcd 1+abcdefgh 2?abcdefghx 3?abcdijkl 4?abcdijklmnop 3+abcdijkl 4+abcdijklmnop "
        "5?abcdijklmnopx 2! 1! 2?abcdefghx",
        n_blocks=14,
    ),
    started("fork-at-border", AT_BORDER, "9* 0?abcd 0+abcd 0>1 2?abcdx 1+abcdefghx 0! 2! 3?abcdefghy"),
    started(
        "heir",
        HEIR,
        "9* 0?abcdx 1?abcdx 0+abcdx 1+abcdx 1>2 2+abcdxz 3?abcdx 3! 2! 0! 1>2 3?vwxyz 3+vwxyz 4?abcdx 4! 1+abcdxy "
        "4?abcdx",
    ),
    started("wrong-sequence", WRONG_NUMBERS, "0?abcde 0+abcde 0?abcdef 1+ab 1>2 0>0 1! 0+abcdefgh 1?abcdefghx"),
    metered("many-prompts", MANY_PROMPTS, many_prompts(9)),
    metered("prompt-one-by-one", GROWS, prefix_one_by_one(200)),
    Case("random-small", "eighteen operations, twelve blocks", random_prefix(12, 18)),
    Case("random-large", "eighteen operations, twenty-four blocks", random_prefix(24, 18)),
]


PAGED_CACHE = Exercise(
    function=paged_cache.PagedCache,
    oracle=right.CacheModel,
    outputs=(),
    methods=CACHE,
    errors=("OutOfBlocks", "NotHeld", "WrongSequence"),
    points=5,
    backend="torch",
    cases=PAGED,
    calls={
        "BlockAllocator": once,
        # For each append once at most, by a cache and by another one that is driven beside it.
        "BlockAllocator.allocate": lambda a: range(1, 2 * sum(method == "append" for method, _ in a["steps"]) + 1),
    },
    budget=Budget(
        is_the_point=True,
        memory=Bound(lambda a: 4 * pool_bytes(a) + 200_000, "four times the pool, and 200 kB for tables and names"),
        held=Bound(lambda a: pool_bytes(a) * 9 // 8, "the pool, and an eighth for tables"),
        products=NOTHING_MULTIPLIED,
        by_number=NOTHING_MULTIPLIED,
        floats=Bound(pool_bytes, "the pool"),
        made=Bound(
            made_of_each_sequence, "what comes is written into the pools, beside a block that is copied for a fork"
        ),
    ),
    without=NO_SCORES,
)

EXERCISES = [
    Exercise(
        function=paged_cache.BlockAllocator,
        oracle=right.AllocatorModel,
        outputs=(),
        methods={"allocate": BLOCKS, "share": (), "free": (), "counts": COUNTS},
        errors=("OutOfBlocks", "NotHeld"),
        points=3,
        backend="torch",
        cases=ALLOCATOR,
        budget=Budget(held=Bound(lambda a: 4_200 + 100 * a["init"]["n_blocks"], "100 bytes a block, and 4.2 kB")),
        without=NO_SCORES | {"ragged": "blocks are whole here", "strided": "there are no arrays"},
    ),
    PAGED_CACHE,
    replace(
        PAGED_CACHE,
        function=paged_cache.PrefixCache,
        oracle=right.PrefixModel,
        methods=CACHE | {"start": (Output("cached tokens", "int64", exact=True),), "extend": ()},
        points=4,
        cases=PREFIX,
        without=NO_SCORES | {"strided": "what is appended is asked in PagedCache"},
        calls={"PagedCache": once},
        budget=replace(
            PAGED_CACHE.budget,
            held=Bound(lambda a: 2 * pool_bytes(a), "the pool, and as much for the names of blocks"),
            products=None,  # names of blocks may be made by multiplying
            by_number=None,
        ),
    ),
]

QUESTIONS = [
    Question(
        name="blocks_of_four_answers",
        ask="A question of 100 tokens in blocks of 16 is forked three times, and all four sequences grow by 20 "
        "tokens: how many blocks are held?",
        answer=Quantity(14, "blocks"),
        why="Six full blocks, 96 tokens, are shared by all. The other four tokens of the question stand in the seventh "
        "block of each answer, three of which are copies, and 120 tokens need eight blocks: 6 + 4 * 2 = 14.",
    ),
    Question(
        name="computed_again",
        ask="Blocks of 16 and a prompt of 64 tokens, all of it cached: how many of its tokens are computed when it "
        "comes again?",
        answer=Quantity(16, "tokens"),
        why="The last token must be computed, since the model's answer comes from its query. Only whole blocks are "
        "shared, so the last block, 16 tokens, is computed again.",
    ),
]
