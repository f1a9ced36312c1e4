"""`tilewise lab` in a terminal: the notebook's kernel is there before a browser is, and Ctrl-C ends it with a word."""

import json
import os
import re
import signal
import sys
import time
import urllib.error
import urllib.request

import pytest

from autograder.spec.folders import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a terminal of Unix")


@pytest.fixture
def lab(tmp_path, start):
    """The process of JupyterLab, and a function that reads its terminal until a pattern is there or it has ended."""
    import pty

    ours, theirs = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("JUPYTER")}
    environment |= {"HOME": str(tmp_path), "PYTHONPATH": str(ROOT), "BROWSER": "true"}
    command = [sys.executable, "-m", "autograder", "lab"]
    process = start(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, cwd=tmp_path)
    os.close(theirs)
    said = ""

    def until(pattern):
        nonlocal said
        while not (found := re.search(pattern, said)):
            try:
                said += os.read(ours, 10_000).decode(errors="replace")
            except OSError:  # the terminal's other end was closed
                return said
        return found[0]

    yield process, until
    os.close(ours)


@pytest.mark.parametrize("seconds", [0, 0.3, 0.6])
def test_ctrl_c_before_jupyterlab_is_there_is_one_sentence(lab, seconds):
    process, until = lab
    until("Opening JupyterLab")
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    said = until("Nothing is lost|Shut down this Jupyter server")
    if "Shut down" in said:
        pytest.skip("this machine is quick: JupyterLab was there already")
    assert "Traceback" not in until("nothing more") and process.wait(60) == 130


def test_the_kernel_is_there_before_the_browser_and_ctrl_c_twice_ends_both(lab):
    process, until = lab
    address, token = until(r"http://127\S+token=\w+").split("/lab/tree/01_softmax.ipynb?token=")
    sessions: list[dict[str, object]] = []
    while not sessions:
        try:
            sessions = json.loads(urllib.request.urlopen(f"{address}/api/sessions?token={token}").read())
        except urllib.error.URLError:
            time.sleep(0.1)
    assert [session["path"] for session in sessions] == ["01_softmax.ipynb"]
    process.send_signal(signal.SIGINT)
    until("Shut down this Jupyter server")
    process.send_signal(signal.SIGINT)
    assert "Traceback" not in until("nothing more") and process.wait(60) == 0
