"""What the tests of a notebook's session share."""

import pytest
from IPython.core.interactiveshell import InteractiveShell


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """A session with the course and numpy loaded, whose next cell is empty."""
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path))
    made = InteractiveShell()
    made.run_cell("%load_ext autograder\nimport numpy as np")
    made.rl_next_input = None
    return made
