"""The wheel is the whole course: it works where there is no checkout, and submitted code sees nothing of it."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from autograder import __version__
from autograder.grading.fingerprint import fingerprint
from autograder.processes.wall import best_level
from autograder.spec.catalogue import exercise_named, exercises, lessons
from autograder.spec.folders import ROOT

RIGHT = "import numpy as np\n\n" + exercise_named("safe_softmax").source
WRONG = "def naive_softmax(x):\n    return x\n"
THIEF = "from kernels.softmax import safe_softmax as theirs\n\ndef safe_softmax(x):\n    return theirs(x)\n"
LEVELS: list[str] = [level for level in ("bubblewrap", "limits") if level == "limits" or best_level() == level]


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A fresh environment with the wheel in it, which finds all else among this one's libraries: nothing is downloaded.
    What is installed here to be edited, a .pth file there names, and none but its own are read.
    """
    folder = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    build = ["wheel", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, ROOT]
    subprocess.run([*pip, *build], check=True)
    venv.create(folder / "env")
    libraries = Path("lib", f"python{sys.version_info.major}.{sys.version_info.minor}", "site-packages")
    (wheel,) = folder.glob("*.whl")
    into = ["--python", folder / "env" / "bin" / "python", "install", "--no-index", "--no-deps", wheel]
    subprocess.run([*pip, *into], check=True)
    (folder / "env" / libraries / "rest.pth").write_text(sysconfig.get_path("purelib"))
    (folder / "home").mkdir()
    yield folder
    shutil.rmtree(folder / "env")


@pytest.fixture
def run(installed):
    """Run a program of the environment, outside of any checkout: its status, its output, its complaint."""

    def call(program, *arguments, before=(), **environment):
        command = [*before, installed / "env" / "bin" / program, *arguments]
        kept = {"HOME": str(installed / "home"), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "COLUMNS": "120"}
        done = subprocess.run(
            command, cwd=installed / "home", env=kept | environment, capture_output=True, text=True, timeout=200
        )
        return done.returncode, done.stdout, done.stderr

    return call


def test_it_holds_every_lesson_and_everything_that_decides_a_grade(run):
    code, out, err = run("tilewise", "list")
    assert code == 0 and all(name in out for name in (*exercises(), *(x.stem for x in lessons()))), err
    script = (
        "from autograder import __version__, hint\n"
        "from autograder.grading.fingerprint import fingerprint; from autograder.spec.catalogue import exercise_named\n"
        "from autograder.spec.folders import MEASURED\n"
        "print(__version__, fingerprint(), *sorted(path.name for path in MEASURED.parent.glob('*.json')))\n"
        "print(exercise_named('flash_mma').source)\n"
    )
    code, out, err = run("python", "-c", script)
    first, _, rest = out.partition("\n")
    measured = sorted(path.name for path in ROOT.glob("bench/*.json"))
    assert first.split() == [__version__, fingerprint(), *measured], err
    assert rest == f"{exercise_named('flash_mma').source}\n"


LAB = """
import os


class Server:
    class io_loop:
        add_callback = print

    def start(self):
        print(os.environ["JUPYTER_CONFIG_PATH"])


class LabApp:
    @staticmethod
    def initialize_server(argv):
        print(*argv, sep="\\n")
        return Server()
"""


def test_the_lab_opens_on_copies_in_a_folder_that_one_finds(run, installed, tmp_path):
    (tmp_path / "jupyterlab").mkdir()
    (tmp_path / "jupyterlab" / "__init__.py").touch()
    (tmp_path / "jupyterlab" / "labapp.py").write_text(LAB)
    code, out, err = run("tilewise", "lab", PYTHONPATH=str(tmp_path))
    copies = installed / "home" / "tilewise"
    assert code == 0 and f"--ServerApp.root_dir={copies}\n" in out, err
    assert f"--LabApp.default_url=/lab/tree/{lessons()[0].notebook.name}\n" in out
    assert Path(out.splitlines()[-1], "labconfig", "page_config.json").exists()
    assert f"on {copies / lessons()[0].notebook.name};" in out
    assert {x.notebook.name for x in lessons()} == {p.name for p in copies.glob("*.ipynb")}


def test_a_kernel_of_the_environment_has_the_course_loaded(run, installed):
    """The configuration that IPython reads in an environment names an extension that is there."""
    config = (installed / "env" / "etc" / "ipython" / "ipython_kernel_config.py").read_text()
    (name,) = re.findall(r'extensions\.append\("([\w.]+)"\)', config)
    code, out, err = run("python", "-c", f"import {name} as it; print(callable(it.load_ipython_extension))")
    assert (code, out) == (0, "True\n"), err


def test_it_checks_and_finds_nothing_missing(run, installed):
    (installed / "home" / "right.py").write_text(RIGHT)
    (installed / "home" / "wrong.py").write_text(WRONG)
    code, out, err = run("tilewise", "check", "right.py", "wrong.py")
    assert code == 1 and "2 / 2 points" in out and "0 / 1 point" in out, err
    code, out, err = run("tilewise", "doctor")
    assert (code, err) == (0, "") and "tested with" not in out


def test_it_grades_and_a_thief_gets_nothing(run, installed):
    handed_in = installed / "home" / "class"
    for student, source in (("right", RIGHT), ("thief", THIEF), ("wrong", WRONG)):
        (handed_in / student).mkdir(parents=True)
        (handed_in / student / "answer.py").write_text(source)
    code, _, err = run("tilewise", "grade", "class", "--out", "out", "--jobs", "1")
    with open(installed / "home" / "out" / "grades.csv") as file:
        points = {row["student"]: row["points"] for row in csv.DictReader(file)}
    assert code == 0 and points == {"right": "2.0", "thief": "0.0", "wrong": "0.0"}, err


def test_it_is_not_for_authors(run):
    code, out, err = run("tilewise", "new", "99_topic")
    assert (code, out) == (2, "") and "clone its repository" in err and err.count("\n") == 1


# What a submission tries, in a sandbox of each level. HERE is where the course is installed.
ATTEMPTS = [
    "import kernels.online_softmax",
    "import autograder.exercises.softmax",
    "from autograder import check",
    "import importlib; importlib.import_module('ker' + 'nels.softmax')",
    "import pkgutil; assert pkgutil.get_data('kernels', 'softmax.py')",
    "import runpy; runpy.run_path(HERE + '/kernels/softmax.py')",
    "open(HERE + '/kernels/cuda/flash_mma.cu')",
    "open(HERE + '/autograder/exercises/softmax.py')",
    "import os; open(os.path.relpath(HERE + '/kernels/softmax.py'))",
    "open(HERE.replace('/lib/', '/lib64/') + '/kernels/softmax.py')",
    "import shutil; shutil.copytree(HERE + '/kernels', 'copy'); open('copy/softmax.py')",
]
SCRIPT = """
import json, shutil, subprocess, sys, tempfile
from pathlib import Path
from autograder.processes.child_link import Limits
from autograder.processes.sandbox import Sandbox
from autograder.processes.wall import around
from autograder.spec.folders import PACKAGES

levels, attempts = map(json.loads, sys.argv[1:])
for level in levels:
    with Sandbox(level=level) as sandbox:
        child = sandbox.child(Limits())
        assert child.define("works", "import numpy, torch, simt.cpu") is None
        child.define("where", f"HERE = {str(PACKAGES)!r}")
        said = [getattr(child.define("attempt", attempt), "kind", "") for attempt in attempts]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        compiler = shutil.which("g++")
        for name, text in (("own", "int kernel;"), ("theirs", f'#include "{PACKAGES}/kernels/cuda/flash_mma.cu"')):
            Path(folder, f"{name}.cpp").write_text(text)
            done = subprocess.run(
                [*around(compiler, folder, level), compiler, "-E", f"{folder}/{name}.cpp"],
                capture_output=True, text=True,
            )
            said.append(done.stdout if name == "own" else done.stdout + done.stderr)
    print(json.dumps(said))
"""
NO_NAMESPACES = ["bwrap", "--dev-bind", "/", "/", "--unshare-user", "--disable-userns"]
WALLS: dict[str, tuple[list[str], list[str]]] = {"of each level": (LEVELS, [])}  # the levels, and what is around
if best_level() == "bubblewrap":
    WALLS["without user namespaces"] = (["limits"], NO_NAMESPACES)
REFUSED = {"ModuleNotFoundError", "ImportError", "FileNotFoundError", "PermissionError", "AssertionError", "Error"}


@pytest.mark.parametrize("wall", WALLS)
def test_submitted_code_sees_nothing_of_it(run, wall):
    levels, before = WALLS[wall]
    code, out, err = run("python", "-c", SCRIPT, json.dumps(levels), json.dumps(ATTEMPTS), before=before)
    assert code == 0, err
    for level, said in zip(levels, out.splitlines(), strict=True):
        *kinds, own, theirs = json.loads(said)
        assert set(kinds) <= REFUSED, (level, dict(zip(ATTEMPTS, kinds, strict=True)))
        assert "int kernel;" in own and "__global__" not in theirs and "flash_mma.cu" in theirs, level
