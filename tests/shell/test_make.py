"""What a person sees of `make`, by the commands that it would run."""

import os
import shutil
import signal
import subprocess
import time

import pytest

from autograder.spec.folders import ROOT

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="no make on this machine")


INSTALLED = ("pyproject.toml", "constraints.txt", "autograder/notebook/jupyter/ipython_kernel_config.py")


def copied(folder):
    """The Makefile, and what an installation depends on."""
    for name in ("Makefile", *INSTALLED):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)


@pytest.mark.parametrize("changed", INSTALLED)
def test_what_was_installed_is_installed_again_when_it_has_changed(tmp_path, changed):
    copied(tmp_path)
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "ready").touch()

    def plans_to_install():
        planned = subprocess.run(["make", "-n", "lab"], cwd=tmp_path, capture_output=True, text=True, check=True)
        return "pip install" in planned.stdout

    assert not plans_to_install()
    ready = (tmp_path / ".venv" / "ready").stat().st_mtime
    os.utime(tmp_path / changed, (ready + 10, ready + 10))
    assert plans_to_install()


@pytest.mark.parametrize("target", ["lab", "grade"])
def test_it_says_what_it_does_before_it_takes_long(tmp_path, target):
    copied(tmp_path)
    planned = subprocess.run(["make", "-n", target], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    commands = [line for line in planned.splitlines() if line.startswith("echo") or " -m " in line]
    assert [line.startswith("echo") for line in commands[:2]] == [True, False], "making .venv takes seconds"
    if target == "grade":
        assert "sample class" in commands[-2], "importing PyTorch takes seconds"


@pytest.fixture
def proof(tmp_path):
    """What starts `make proof` with programs that write their arguments into `ran`, and then do as they are told."""

    def start(then):
        copied(tmp_path)
        (tmp_path / ".venv" / "bin").mkdir(parents=True)
        for name in ("tilewise", "python"):
            program = tmp_path / ".venv" / "bin" / name
            program.write_text(f'#!/bin/sh\necho "$*" >> ran\n{then}\n')
            program.chmod(0o755)
        (tmp_path / ".venv" / "ready-test").touch()
        return subprocess.Popen(["make", "proof"], cwd=tmp_path, start_new_session=True, stderr=subprocess.PIPE)

    return start


PARTS = [
    "prove",
    "-m tests.strangers.seeds",
    "-m pytest -q -s tests/grading/reading/test_fuzz.py",
    "-m pytest -q tests/grading/hostile",
]


@pytest.mark.parametrize("failing", ["prove", "seeds", "fuzz", "hostile", "nothing"])
def test_each_part_of_the_proof_runs_whatever_becomes_of_the_others(tmp_path, proof, failing):
    made = proof(f'case "$*" in *{failing}*) exit 1; esac')
    said = made.communicate(timeout=60)[1]
    assert (tmp_path / "ran").read_text().splitlines() == PARTS
    assert (made.returncode != 0) == (failing != "nothing") == (b"Error 1" in said)


@pytest.mark.parametrize("then", ["trap 'exit 130' INT; while true; do sleep 0.01; done", "exec sleep 60"])
def test_ctrl_c_ends_the_whole_proof(tmp_path, proof, then):
    """Whether what runs says so by its status, or dies of it."""
    made = proof(then)
    ran = tmp_path / "ran"
    while not ran.exists() or not ran.read_text():
        time.sleep(0.01)
    os.killpg(made.pid, signal.SIGINT)
    made.communicate(timeout=50)
    assert made.returncode != 0 and ran.read_text().splitlines() == PARTS[:1]
