"""A new lesson: four files with a tiny exercise that builds as it stands; `prove` names the TODOs that are left."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from pathlib import Path

from ..spec.catalogue import exercises
from ..spec.folders import ROOT
from ..spec.user_error import UserError

UNWRITTEN = "TODO"  # what is left for the author, and is looked for by the proof


def begin(stem: str, root: Path = ROOT) -> Iterator[str]:
    """Write the lesson's four files and yield what to do with each. `stem` is NN_topic, e.g. 07_tiled_attention.

    Raises UserError if the name does not fit or its number or topic is taken; then nothing is written.
    """
    unfit = UserError(f"{stem!r} cannot be a lesson's name; write two digits and a new topic, as in 07_tiled_attention")
    found = re.fullmatch(r"(\d\d)_([a-z][a-z0-9_]*)", stem)
    if not found or keyword.iskeyword(found[2]):
        raise unfit
    number, topic = found[1], found[2]
    files = {
        root / "kernels" / f"{topic}.py": (KERNEL, "write the solution"),
        root / "autograder" / "exercises" / f"{topic}.py": (EXERCISES, "write cases, budgets and questions"),
        root / "autograder" / "exercises" / f"{topic}.md": (PAGE, "write hints and mistakes"),
        root / "lessons" / f"{stem}.md": (LESSON, "tell the story"),
    }
    if taken := [path for path in files if path.exists()]:
        raise UserError(f"{taken[0].relative_to(root)} is there already; choose another topic")
    if topic in exercises():
        raise unfit
    following = 1 + max((int(path.name[:2]) for path in (root / "lessons").glob("[0-9][0-9]_*.md")), default=0)
    if int(number) != following:
        raise UserError(f"lessons are numbered without gaps, and the next one is {following:02d}_{topic}")
    for path, (text, task) in files.items():
        with open(path, "x", encoding="utf-8") as file:
            file.write(text.replace("TOPIC", topic).replace("TITLE", topic.replace("_", " ").capitalize()))
        yield f"{path.relative_to(root)}: {task}"
    yield f"Then: tilewise build {stem} && tilewise prove {stem}"


KERNEL = '''\
"""TITLE. TODO: what this module builds, in one sentence."""

import numpy as np


def TOPIC(x: np.ndarray) -> np.ndarray:
    """The mean of each row. TODO: your contract.

    x: (..., N). Returns y: (...), y = sum_j x_j / N, in the dtype of x.
    """
    total = x.sum(axis=-1)
    return total / x.shape[-1]
'''

EXERCISES = '''\
"""TITLE. TODO: what its exercises check."""

import numpy as np
from numpy.random import Generator
from torch import Tensor

from autograder.spec.exercise import Arguments, Case, Exercise, Output, Quantity, Question
from kernels import TOPIC


def oracle(x: Tensor) -> Tensor:
    return x.sum(-1) / x.shape[-1]


def normal(*shape: int, shift: float = 0.0):
    """Cases of x ~ N(shift, 1)."""

    def draw(rng: Generator) -> Arguments:
        return {"x": (rng.standard_normal(shape) + shift).astype(np.float32)}

    return draw


def transposed(rng: Generator) -> Arguments:
    return {"x": rng.standard_normal((65, 6)).astype(np.float32).T}


CASES = [
    Case("plain", "two rows of four numbers", normal(2, 4)),
    Case("single", "a single number", normal(1, 1)),
    Case("large-positive", "numbers around +300", normal(4, 65, shift=300.0)),
    Case("very-negative", "numbers around -300", normal(4, 65, shift=-300.0)),
    Case("strided", "x is a transposed view", transposed),
]

EXERCISES = [
    Exercise(
        function=TOPIC.TOPIC,
        oracle=oracle,
        outputs=(Output("y"),),
        points=1,
        cases=CASES,
        without={
            "ragged": "TODO: add a case, or say why there is none",
            "rising max": "TODO: add a case, or say why there is none",
            "masked row": "TODO: add a case, or say why there is none",
            "cross": "TODO: add a case, or say why there is none",
            "grouped": "TODO: add a case, or say why there is none",
        },
    ),
]

QUESTIONS = [
    Question(
        name="TOPIC_additions",
        ask="TODO: How many additions does the mean of 1000 numbers take?",
        answer=Quantity(999),
        why="The first number is there already; each of the other 999 is added to it.",
    ),
]
'''

PAGE = """\
# TITLE: hints and mistakes

## TOPIC
1. TODO, the idea: a mean is a sum shared out equally.
2. TODO, where to look: N is the length of the last axis, `x.shape[-1]`.
3. TODO, the step with three numbers: x = [1, 2, 6] has the sum 9, and 9 / 3 = 3.
### `not-divided`: the sum is not divided by N (`plain`, hint 1)
    ~ total / x.shape[-1] -> total
### `rows-counted`: N is the number of rows (`plain`, hint 2)
    ~ x.shape[-1] -> len(x)
### `largest-only`: only the largest entry is counted (`plain`, hint 2)
    - total = x.sum(axis=-1)
    + total = x.max(axis=-1)
"""

LESSON = """\
# TITLE

TODO: the story in three sentences: what fails, what the idea is, what the learner builds.

```{code-cell}
:tags: [setup]
import numpy as np
```

## The experiment that fails

TODO: a cell that the learner runs and sees fail.

## The idea

TODO: the derivation, with the shape of every symbol. A mean of a row $x$ of shape $(N)$ is

$$y = \\frac{1}{N} \\sum_{j=1}^{N} x_j .$$

TODO: How many additions does the mean of 1000 numbers take?

```{code-cell}
:question: TOPIC_additions
```

```{code-cell}
:exercise: TOPIC
```

```{code-cell}
:needs: TOPIC
print(TOPIC(np.array([[1.0, 2.0, 6.0]])))
```

## What to notice

TODO.

## Sources

TODO: papers with year and arXiv number.
"""
