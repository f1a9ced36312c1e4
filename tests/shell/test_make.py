"""What a person sees of `make`, by the commands that it would run."""

import shutil
import subprocess

import pytest

from autograder.spec.folders import ROOT

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="no make on this machine")


@pytest.mark.parametrize("target", ["lab", "grade"])
def test_it_says_what_it_does_before_it_takes_long(tmp_path, target):
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    planned = subprocess.run(["make", "-n", target], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    commands = [line for line in planned.splitlines() if line.startswith("echo") or " -m " in line]
    assert [line.startswith("echo") for line in commands[:2]] == [True, False], "making .venv takes seconds"
    if target == "grade":
        assert "sample class" in commands[-2], "importing PyTorch takes seconds"
