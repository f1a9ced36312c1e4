"""A class of files that are made to take memory takes that of limited processes, and little of the grader's own."""

import io
import json
import random
import subprocess
import sys
import zipfile

import pytest

from autograder.authoring.sample import submission_notebook
from autograder.grading.reading.files import MAX_BYTES
from autograder.spec.catalogue import exercises, lesson_named
from autograder.spec.folders import ROOT
from tests.grading.reading.test_fuzz import edited

# Whole systems, in which coverage would take as long again; tests of their parts cover them.
pytestmark = [pytest.mark.no_cover, pytest.mark.skipif(sys.platform != "linux", reason="memory is looked up in /proc")]

MOST = 500  # MB
RUN = """
import re, sys
from functools import partial
from pathlib import Path
from autograder.grading import class_run
class_run.Limits = partial(class_run.Limits, memory=256 << 20)  # which answers fill in each case anew: not ours
results = class_run.run(Path(sys.argv[1]), Path(sys.argv[2]), ["softmax"], "a seed", jobs=2, seconds=2.0)
assert not any(entry["status"] == "infra" for result in results for entry in result["exercises"])
print(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1], file=sys.stderr)
"""
HEAD = "import numpy as np\n\n\ndef safe_softmax(x):\n"
# Messages of four megabytes that take a hundred as objects, written to whatever is open there.
FORGED = """
import os, struct
text = MESSAGE
for fd in range(3, 64):
    try:
        os.write(fd, struct.pack(">I", len(text)) + text)
    except OSError:
        pass
"""


OBJECTS = """b'{"blobs": [], "counts": [' + b'{},' * 1_300_000 + b'{}]}'"""
SIZES = """b'{"blobs": [' + b'0,' * 1_900_000 + b'0]}'"""


def zipped(name: str, data: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return buffer.getvalue()


def made_to_take_memory() -> dict[str, bytes]:
    """Files by name: each for one part of what reads, screens, runs and reports it."""
    solution = exercises()["safe_softmax"].source
    return {
        "objects.ipynb": b'{"cells": [' + b"{}," * 8_000_000 + b"{}]}",
        "text.py": b"x = 1\n" * ((MAX_BYTES - 10) // 6),
        "bomb.zip": zipped("answer.py", bytes(MAX_BYTES + 1)),
        "lines.zip": zipped("answer.py", b"\n" * (MAX_BYTES - 1)),
        "tree.py": f"import numpy as np\n{solution}\n{'+' * 90_000}1\n".encode(),
        "floods.py": f"{HEAD}    return np.zeros((5000, 1000))\n".encode(),
        "shouts.py": f"{HEAD}    raise ValueError('x' * 10**8)\n".encode(),
        "forges.py": f"{FORGED.replace('MESSAGE', OBJECTS)}\n{HEAD}    return x\n".encode(),
        "sizes.py": f"{FORGED.replace('MESSAGE', SIZES)}\n{HEAD}    return x\n".encode(),
        "numbers.py": f"{HEAD}    return [0.0] * 2_000_000\n".encode(),
        "allocates.py": f"{HEAD}    return [np.ones(1 << 22) for _ in range(1000)]\n".encode(),
    }


def fuzzed(notebook: bytes, number: int) -> bytes:
    draw = random.Random(number)
    places = [(draw.random(), draw.randrange(400), draw.randbytes(draw.randrange(40))) for _ in range(3)]
    return edited(notebook, places)


def test_the_grader_s_own_memory_is_bounded_whatever_is_handed_in(tmp_path):
    given = tmp_path / "class"
    given.mkdir()
    for name, data in made_to_take_memory().items():
        (given / name).write_bytes(data)
    solved = submission_notebook(lesson_named("softmax"), lambda exercise: exercise.source).encode()
    for number in range(6):
        (given / f"fuzzed{number}.ipynb").write_bytes(fuzzed(solved, number))
    command = [sys.executable, "-c", RUN, str(given), str(tmp_path / "out")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stderr.split()[-1]) >> 10 < MOST
    results = {path.parent.name: json.loads(path.read_text()) for path in tmp_path.glob("out/results/*/*.json")}
    assert len(results) == 17 and {results[f"fuzzed{n}"]["points"] for n in range(6)} > {5}
