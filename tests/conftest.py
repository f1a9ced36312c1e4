"""What all tests share."""

import atexit
import os
import shutil
import tempfile

import pytest

# Before any test imports the course: nobody's progress is touched.
os.environ["TILEWISE_WORK"] = tempfile.mkdtemp(prefix="tilewise-tests-")
atexit.register(shutil.rmtree, os.environ["TILEWISE_WORK"], ignore_errors=True)


@pytest.fixture(autouse=True)
def own_work(tmp_path, monkeypatch):
    """Every test has its own progress and learner's folder."""
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path / "work"))
