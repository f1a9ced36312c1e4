"""Operations and bytes of a ReLU and of a linear layer, and the roofline."""

from typing import Any

import numpy as np
from numpy.random import Generator

from autograder.exercises.draws import NO_HEADS_YET, SIZES_ONLY, drawn, numbers
from autograder.exercises.measured import BANDWIDTH, CALL, PEAK, RIDGE
from autograder.spec.exercise import Arguments, Case, Exercise, Output, Quantity, Question
from kernels import memory_hierarchy
from kernels.oracles import memory_hierarchy as right

COST = (Output("flops", "int64", exact=True), Output("bytes_moved", "int64", exact=True))
UNMASKED = SIZES_ONLY | {"masked row": "nothing is masked in these counts"}
NO_TILES = {"ragged": "nothing is cut into tiles yet"}


# Inputs.


A100: dict[str, Any] = {"peak": 312e12, "bandwidth": 2039e9}
H200: dict[str, Any] = {"peak": PEAK, "bandwidth": BANDWIDTH}


@drawn
def work(rng: Generator, /, k: int, low: float, high: float, every: int = 1, **machine: float) -> Arguments:
    """K pieces of work of 1e12 operations or so, with intensities spread over [low, high] operations per byte."""
    intensity = np.geomspace(low, high, k) * rng.uniform(0.9, 1.1, k)
    flops = 1e12 * rng.uniform(0.2, 5, k)
    pair = np.repeat(np.stack([flops, flops / intensity]), every, axis=1)
    return {"flops": pair[0, ::every], "bytes_moved": pair[1, ::every]} | machine


def one_piece(rng: Generator) -> Arguments:
    """Two single numbers instead of arrays."""
    flops, intensity = 1e12 * rng.uniform(0.2, 5), rng.choice([20.0, 1000.0])
    return {"flops": np.float64(flops), "bytes_moved": np.float64(flops / intensity)} | H200


@drawn
def as_counted(rng: Generator, /, moved: int) -> Arguments:
    """Two whole numbers, as relu_cost counts them for entries of which so many bytes are moved."""
    n = int(rng.integers(10**6, 10**9))
    return {"flops": n, "bytes_moved": moved * n} | H200


@drawn
def odd(rng: Generator, /, **given: int | tuple[int, int]) -> Arguments:
    """As `numbers`, but odd, so that no float holds their product; numbers that are given stay as they are."""
    return {name: n | isinstance(given[name], tuple) for name, n in numbers(**given)(rng).items()}


@drawn
def only(rng: Generator, /, flops: float, bytes_moved: float, **machine: float) -> Arguments:
    """One kind of work alone, five pieces of it."""
    pieces = rng.uniform(1, 9, 5)
    return {"flops": flops * pieces, "bytes_moved": bytes_moved * pieces} | machine


WORK = "four pieces of work on an A100, two bound by memory and two by arithmetic"
SMALL_LINEAR = "3 tokens, from width 4 to width 5, numbers of 4 bytes"

DECODE_STEP = "one token, as in decoding"
SINGLE = "one token, widths of 1, 2 bytes"
EXERCISES = [
    Exercise(
        function=memory_hierarchy.relu_cost,
        oracle=right.relu,
        outputs=COST,
        points=1,
        cases=[
            Case("plain", "eight numbers of 4 bytes", numbers(n=8, itemsize=4)),
            Case("single", "a single number of 2 bytes", numbers(n=1, itemsize=2)),
            Case("millions", "billions of numbers of 2 bytes", numbers(n=(3 * 10**9, 10**10), itemsize=2)),
            Case("float64", "float64: numbers of 8 bytes", numbers(n=(10, 1000), itemsize=8)),
        ],
        without=UNMASKED | NO_TILES | NO_HEADS_YET,
    ),
    Exercise(
        function=memory_hierarchy.roofline_time,
        oracle=right.slower,
        outputs=(Output("seconds", "float64"),),
        points=1,
        cases=[
            Case("plain", WORK, work(4, 15, 1500, **A100)),
            Case("single", "a single piece of work", work(1, 1000, 1000, **H200)),
            Case("single-numbers", "flops and bytes_moved are single numbers, not arrays", one_piece),
            Case("whole-numbers", "two ints, as relu_cost returns them: the seconds are none", as_counted(moved=8)),
            Case("all-intensities", "work of all intensities on an H200", work(40, 0.1, 1e4, **H200)),
            Case("no-operations", "copies: no operation at all", only(0, 1e9, **H200)),
            Case("no-bytes", "arithmetic on what is there already: no byte moves", only(1e12, 0, **A100)),
            Case("no-bytes-counted", "two ints: operations without a byte", as_counted(moved=0)),
            Case("strided", "every other entry of longer arrays", work(9, 1, 1e4, every=2, **A100)),
        ],
        without={name: why for name, why in UNMASKED.items() if name != "strided"} | NO_TILES | NO_HEADS_YET,
    ),
    Exercise(
        function=memory_hierarchy.linear_cost,
        oracle=right.linear,
        outputs=COST,
        points=1,
        cases=[
            Case("plain", SMALL_LINEAR, numbers(tokens=3, d_in=4, d_out=5, itemsize=4)),
            Case("single", SINGLE, numbers(tokens=1, d_in=1, d_out=1, itemsize=2)),
            Case("decode-step", DECODE_STEP, numbers(tokens=1, d_in=4096, d_out=(4097, 20000), itemsize=2)),
            Case(
                "many-tokens",
                "so many tokens that the operations are more than a float holds exactly",
                odd(tokens=(2 * 10**8, 4 * 10**8), d_in=(10_000, 20_000), d_out=(10_000, 20_000), itemsize=2),
            ),
            Case("one-byte", "weights of 1 byte", numbers(tokens=(20, 90), d_in=1024, d_out=(64, 999), itemsize=1)),
        ],
        without=UNMASKED | NO_TILES | NO_HEADS_YET,
    ),
]

RIDGE_TOKENS = RIDGE / (1 - 2 * RIDGE / 8192)
QUESTIONS = [
    Question(
        name="relu_intensity",
        ask="How many operations does a ReLU do for each byte it moves, on numbers of 2 bytes?",
        answer=Quantity(0.25, "operations per byte", rel=0.001),
        why="One comparison for 2 bytes in and 2 bytes out: 1/4, however many numbers there are.",
    ),
    Question(
        name="three_in_one",
        ask="max(0, 2 x + 1) takes three calls, each of which reads an array and writes one. How many times as fast "
        "could one kernel be at best?",
        answer=Quantity(3, "times", rel=0.001),
        why="Three calls read three arrays and write three, one kernel reads x and writes y: 6 against 2. At so few "
        "operations bytes are all that counts.",
    ),
    Question(
        name="h200_ridge",
        ask=f"From how many operations per byte on does the H200 ({PEAK / 1e12:g} TFLOP/s, {BANDWIDTH / 1e12:g} TB/s) "
        "have to wait for arithmetic?",
        answer=Quantity(RIDGE, "operations per byte", rel=0.01),
        why=f"Both times are equal where flops / {PEAK / 1e12:g}e12 = bytes / {BANDWIDTH / 1e12:g}e12, that is at "
        f"{PEAK / 1e12:g} / {BANDWIDTH / 1e12:g} = {RIDGE:.0f} operations per byte.",
    ),
    Question(
        name="from_p100_to_b200",
        ask="On a P100 (21.2 TFLOP/s, 732 GB/s) a program spent half of its time in products and half in moving bytes. "
        "How many times as fast is it on a B200 (2250 TFLOP/s, 8000 GB/s)?",
        answer=Quantity(19.8, "times", rel=0.03),
        why="Products are 2250 / 21.2 = 106 times as fast, bytes 8000 / 732 = 10.9 times. What is left of the time is "
        "0.5 / 106 + 0.5 / 10.9 = 0.0505, and its inverse is 19.8, far nearer to the smaller of the two.",
    ),
    Question(
        name="linear_turns",
        ask="A linear layer of 8192 x 8192, numbers of 2 bytes, on the H200: from how many tokens on is it bound by "
        "arithmetic?",
        answer=Quantity(RIDGE_TOKENS, "tokens", rel=0.05),
        why="If the weights were all there is to move, t tokens would do 2 t d^2 operations on 2 d^2 bytes, t for each "
        f"byte, and {RIDGE:.0f} would do. x and y are moved too: t / (1 + 2 t / 8192) = {RIDGE:.0f} at t = "
        f"{RIDGE_TOKENS:.0f}.",
    ),
    Question(
        name="many_for_one",
        ask="A linear layer of 8192 x 8192, numbers of 2 bytes, on the H200: how many times as long as one token do "
        "128 tokens take, at once?",
        answer=Quantity(1.03, "times", rel=0.015),
        why="Both wait for bytes, and nearly all of these are weights: 8192^2 + 2 * 128 * 8192 numbers against "
        "8192^2 + 2 * 8192.",
    ),
    Question(
        name="too_narrow",
        ask="A linear layer from width d to width d, numbers of 2 bytes, on the H200: below which d is it bound by "
        "memory, however many tokens there are?",
        answer=Quantity(2 * RIDGE, rel=0.02),
        why="A token does 2 d^2 operations and moves d numbers in and d out, 4 d bytes: at most d / 2 operations per "
        f"byte, however many tokens share the weights. That reaches the ridge at d = 2 * {RIDGE:.0f}.",
    ),
    Question(
        name="launch_limit",
        ask=f"On the H200 a ReLU that is called from Python takes {CALL * 1e6:.2f} microseconds at the least. From how "
        f"many million float16 numbers on do its bytes take longer, at {BANDWIDTH / 1e12:g} TB/s?",
        answer=Quantity(CALL * BANDWIDTH / 4e6, "million numbers", rel=0.05),
        why=f"In {CALL * 1e6:.2f} microseconds {CALL * BANDWIDTH / 1e6:.1f} MB move, and a number takes 4 bytes, 2 in "
        f"and 2 out: {CALL * BANDWIDTH / 4e6:.1f} million numbers. Below that, its size does not matter.",
    ),
]
