"""What is so of each back end stands in its engine, and nobody compares its name."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest
import torch

from autograder.runner.arrays import Stream, changed, items_of
from autograder.runner.engines import ENGINES
from autograder.spec import interpreter
from autograder.spec.catalogue import exercises
from autograder.spec.folders import ROOT

COMPARES = re.compile(
    r"\bbackend\b *(==|!=|(not )?in\b) *[\"'(\[{A-Z]"  # exercise.backend == "cuda", backend in ("torch", "triton")
    r"|[\"']\w+[\"'] *[=!]= *[\w.]*\bbackend\b"  # "cuda" != exercise.backend
)


def test_every_exercise_has_an_engine_and_every_engine_but_that_of_a_gpu_an_exercise():
    assert {exercise.backend for exercise in exercises().values()} == ENGINES.keys() - {"cuda on gpu"}


def test_nobody_compares_the_name_of_a_back_end():
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for room in ("autograder", "models", "bench")
        for path in (ROOT / room).rglob("*.py")
        for line in path.read_text().splitlines()
        if COMPARES.search(line)
    ]
    assert found == []
    assert all(map(COMPARES.search, ('if exercise.backend == "triton":', 'backend in ("a", "b")', '"cuda" != backend')))


def test_to_ask_an_engine_what_is_so_takes_neither_numpy_nor_torch():
    code = (
        "import sys\nfrom autograder.runner.engines import ENGINES\n"
        "assert not ENGINES['cuda'].is_python and ENGINES['triton'].launches_triton and ENGINES['ranks'].has_ranks\n"
        "print({'numpy', 'torch', 'triton'} & set(sys.modules))"
    )
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert said.stdout == "set()\n", said.stderr


CONFINED = """
import sys
import numpy as np
from autograder.runner import zygote

zygote.import_all()
sys.meta_path.clear()
from autograder.runner.observe import observe
for name in sys.argv[1:]:
    x = [np.ones(3)] if name == "ranks" else np.ones(3)
    seen = observe(lambda x: x + x, {"x": x}, name)
    print(name, seen.failure, [y.tolist() for y in seen.outputs])
"""


def test_what_engines_load_late_is_there_before_a_confined_child_can_read_no_files():
    names = [name for name, engine in ENGINES.items() if name != "cuda on gpu"]
    names = [name for name in names if interpreter.has_triton() or not ENGINES[name].launches_triton]
    environment = os.environ | {"TRITON_INTERPRET": "1"}
    command = [sys.executable, "-c", CONFINED, *names]
    said = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert said.stdout.splitlines() == [f"{name} None [[2.0, 2.0, 2.0]]" for name in names], said.stderr


@pytest.mark.parametrize("name", ["numpy", "torch", "cuda", "ranks"])
def test_arguments_are_handed_over_as_the_back_end_takes_them(name):
    x = np.arange(3.0)
    given = ENGINES[name].hand_over({"x": x, "many": [x], "n": 3})
    kind = torch.Tensor if ENGINES[name].takes_tensors else np.ndarray
    assert type(given["x"]) is type(given["many"][0]) is kind and given["n"] == 3
    given["x"][0] = 5
    assert x[0] == 5  # they share memory


def test_what_is_changed_in_arguments_is_changed_wherever_it_stands():
    found = changed({"a": [1, (2, 3)], "s": Stream([4, [5]])}, lambda x: 10 * x)
    assert found["a"] == [10, (20, 30)] and list(items_of(found["s"])) == [40, [50]]
