"""Of memory that grows in a loop of thousands of turns the line is named that makes it grow."""

import sys
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from autograder.runner.meters.lines import FEW, Lines
from autograder.runner.wall.printed import listening

LOOP = """
def answer(row):
    m, l, kept = np.float32(-np.inf), np.float32(0), {empty}
    for i, x in enumerate(row):
        m_new = np.maximum(m, x)
        {line}  # here
        l = l * np.exp(m - m_new) + np.exp(x - m_new)
        m = m_new
    return m, l
"""
AT_ONCE = """
def answer(row):
    numbers = [float(x) for x in row]  # here
    m = max(numbers)
    return m, sum(np.exp(x - m) for x in numbers)
"""
FREED = """
def answer(row):
    m = max_of(row)
    return m, sum(np.exp(x - m) for x in row)


def max_of(row):
    kept = []
    for x in row:
        kept.append(float(x))  # here
    wide = np.array(kept)
    return wide.max()
"""
ROW = list(np.random.default_rng(0).normal(size=8 * FEW).astype(np.float32))


def lines_of(source: str) -> Lines:
    cell: dict[str, Any] = {"np": np}
    exec(compile(dedent(source), "cell", "exec"), cell)
    with Lines(lambda name: name == "cell", "cell") as lines:
        cell["answer"](ROW)
    return lines


@pytest.mark.parametrize(
    "source",
    [
        LOOP.format(empty="[]", line="kept.append(x)"),
        LOOP.format(empty="np.zeros(0, np.float32)", line="kept = np.append(kept, x)"),
        LOOP.format(empty="{}", line="kept[i] = float(x)"),
        AT_ONCE,
        FREED,
    ],
    ids=["list", "array", "table", "at-once", "freed"],
)
def test_the_line_is_named_that_keeps_a_row(source):
    lines = lines_of(source)
    here = next(number for number, line in enumerate(dedent(source).splitlines(), 1) if line.endswith("# here"))
    assert lines.peak_line == here
    assert lines.peak > 4 * len(ROW)


def test_memory_of_turns_that_are_not_watched_counts():
    source = LOOP.format(empty="0", line="kept = np.zeros(9000 if i == 7 * FEW else 1).sum()").replace("FEW", str(FEW))
    assert lines_of(source).peak > 70_000
    assert lines_of(source.replace("9000", "1")).peak < 9000


def test_every_line_is_counted_however_many_there_are():
    assert 5 * len(ROW) <= lines_of(LOOP.format(empty="0", line="kept += 1")).steps < 5 * len(ROW) + 10


PRINTED = """
def answer(row):
    x = np.array(row)
    print(x, x.shape, "seen")
    return x
"""


def test_what_is_printed_takes_no_memory_of_an_answer_s():
    with np.printoptions(threshold=sys.maxsize), listening() as heard:
        printed = lines_of(PRINTED).peak
    assert heard.printed.lines > 100 and printed < lines_of(PRINTED.replace("print(", "(")).peak + (32 << 10)


def test_what_an_answer_writes_itself_counts(capsys):
    writes = (
        PRINTED.replace("x, x.shape", "Wide()")
        + "class Wide:\n    def __str__(self): return str(np.zeros(99_999).sum())"
    )
    assert lines_of(writes).peak > 8 * 99_999
