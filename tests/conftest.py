"""What all tests share."""

import atexit
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.systems import SYSTEMS, is_left_out

# Before any test imports the course: nobody's progress is touched.
os.environ["TILEWISE_WORK"] = tempfile.mkdtemp(prefix="tilewise-tests-")
atexit.register(shutil.rmtree, os.environ["TILEWISE_WORK"], ignore_errors=True)
# Beside another test on every core, threads that wait for each other by turning cost up to seven times the CPU.
os.environ["OMP_NUM_THREADS"] = "1"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return is_left_out(collection_path, config) or None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Says which files were left out."""
    below = [Path(argument).resolve() for argument in config.args if "::" not in argument]
    files = (config.rootpath / file for file in SYSTEMS)
    files = (file for file in files if any(file.is_relative_to(folder) for folder in below))
    if left_out := [file.name for file in files if is_left_out(file, config)]:
        terminalreporter.write_line(f"passed before with all that they depend on: {', '.join(left_out)}")


@pytest.fixture(autouse=True)
def own_work(tmp_path, monkeypatch):
    """Every test has its own progress and learner's folder."""
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path / "work"))


@pytest.fixture(autouse=True)
def nobody_leaves(monkeypatch):
    """A command that has given up an executor ends its process at once, which is that of all tests here: with its own
    status, 0 perhaps, and no word.
    """
    from autograder.shell import ctrl_c

    monkeypatch.setattr(ctrl_c, "leave", _would_have_left)
    yield
    if executors := sys.modules.get("autograder.grading.executors"):
        executors.GIVEN_UP.clear()


def _would_have_left(status: int) -> None:
    raise AssertionError(f"a command ends the process of all tests, with status {status}")


@pytest.fixture(scope="session", autouse=True)
def interruptible():
    """Under nohup SIGINT is ignored, here and in all that is started: a test of the stop button would wait for ever."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def start():
    """subprocess.Popen for what ends with the module's tests, and, on Linux, with this process if that is killed."""
    from autograder.runner.wall.confine import die_with_parent

    started, dies_with_us = [], die_with_parent if sys.platform == "linux" else None

    def popen(command, **options):
        started.append(subprocess.Popen(command, preexec_fn=dies_with_us, **options))
        return started[-1]

    yield popen
    for process in started:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(20)
        process.kill()
        process.wait()
        for pipe in filter(None, (process.stdin, process.stdout, process.stderr)):
            pipe.close()


@pytest.fixture(autouse=True)
def free_processors(monkeypatch):
    """Tests of what does not end wait as long as on an idle machine."""
    monkeypatch.setattr(os, "getloadavg", lambda: (0.0, 0.0, 0.0))
