"""An interrupt while PyTorch imports what it first needs leaves a kernel in which the next call works."""

import sys

import pytest

from models.imports import imported_whole


def test_a_module_is_whole_where_its_import_is_interrupted(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    text = "import signal\nBEGUN = True\nsignal.raise_signal(signal.SIGINT)\nWHOLE = True\n"
    (tmp_path / "needed_late.py").write_text(text)
    with pytest.raises(KeyboardInterrupt):
        imported_whole("needed_late")
    assert sys.modules.pop("needed_late").WHOLE
