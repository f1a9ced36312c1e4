"""The learner's own way: JupyterLab in a real browser, a wrong answer typed in, then the right one.

Screenshots are kept in artifacts/, which git ignores.
"""

import contextlib
import os
import secrets
import shutil
import socket
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from autograder.notebook.jupyter.lab import CONFIGURATION
from autograder.notebook.starters import OPENED
from autograder.spec import interpreter
from autograder.spec.catalogue import exercise_named, lesson_named
from autograder.spec.folders import ROOT
from tests.browser import browsing, needs_browser, playwright

pytestmark = needs_browser
ARTIFACTS = ROOT / "artifacts"  # a screenshot makes its folder


@pytest.fixture(scope="module")
def lab(tmp_path_factory, start):
    """A JupyterLab server on fresh copies of two lessons, with an empty home: the address of a notebook there."""
    tmp_path = tmp_path_factory.mktemp("lab")
    work = tmp_path / "work"
    work.mkdir()
    for topic in ("softmax", "flash_forward"):
        shutil.copy(lesson_named(topic).notebook, work)
    profile = tmp_path / ".ipython/profile_default"  # in an environment it lies in etc/ipython
    profile.mkdir(parents=True)
    shutil.copy(CONFIGURATION / "ipython_kernel_config.py", profile)
    settings = tmp_path / ".jupyter/lab/user-settings/@jupyterlab/notebook-extension"
    settings.mkdir(parents=True)
    (settings / "tracker.jupyterlab-settings").write_text('{"windowingMode": "none"}')
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port = sock.getsockname()[1]
    token = secrets.token_hex(16)
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--ServerApp.port={port}",
               "--ServerApp.ip=127.0.0.1", f"--ServerApp.root_dir={work}",
               f"--IdentityProvider.token={token}"]  # fmt: skip
    environment = os.environ | {"HOME": str(tmp_path), "PYTHONPATH": str(ROOT), "TILEWISE_WORK": str(work)}
    environment["JUPYTER_CONFIG_PATH"] = str(CONFIGURATION)
    environment["PATH"] = f"{Path(sys.executable).parent}:{environment['PATH']}"
    with open(tmp_path / "lab.log", "w") as log:
        server = start(command, stdout=log, stderr=log, env=environment, cwd=work)
    _wait_for(f"http://127.0.0.1:{port}/api?token={token}", server, tmp_path / "lab.log")
    # A workspace of its own: JupyterLab opens again what an earlier page had open.
    place = f"http://127.0.0.1:{port}/lab/workspaces"
    return lambda name: f"{place}/{name[:-6].replace('/', '-')}/tree/{name}?token={token}"


@pytest.fixture(scope="module")
def new_page():
    with browsing() as made:
        yield made


def _wait_for(url, server, log):
    for _ in range(120):
        assert server.poll() is None, log.read_text()[-2000:]
        try:
            urllib.request.urlopen(url, timeout=2)
            return
        except OSError:
            time.sleep(0.5)
    raise AssertionError(log.read_text()[-2000:])


@pytest.fixture(scope="module")
def softmax(lab, new_page):
    """Lesson 01 in a kernel in which no cell was run."""
    page = new_page()
    page.goto(lab("01_softmax.ipynb"))
    page.locator(".jp-Notebook .jp-Cell", has_text="load_ext autograder").first.wait_for()
    page.locator(".jp-Notebook-ExecutionIndicator[data-status='idle']").first.wait_for()
    return page


def below(page, code_cell, text):
    """What stands below a cell once this text does."""
    found = code_cell.locator(".jp-OutputArea")
    try:
        found.get_by_text(text, exact=False).first.wait_for()
    except playwright.TimeoutError:
        page.screenshot(path=ARTIFACTS / "failed.png")
        raise
    return found.inner_text()


def test_in_a_new_kernel_a_lessons_name_says_what_to_do(softmax):
    """The course is loaded although its first cell was not run: the environment's configuration does that."""
    check = cell(softmax, "check(safe_softmax)")
    run(softmax, check)
    assert "choose Run, Run All Above Selected Cell" in below(softmax, check, "cell that makes safe_softmax")


def test_a_starter_says_what_to_do_and_what_is_printed_comes_below_the_card(softmax):
    run(softmax, cell(softmax, "load_ext autograder"))
    run(softmax, cell(softmax, "import numpy as np"))
    solve = cell(softmax, "def safe_softmax(")
    run(softmax, solve)
    below(softmax, solve, "safe_softmax is as it was given out")
    answer(softmax, solve, "def safe_softmax(x):\n    for i in range(3000):\n        print(i)\n    return x")
    below(softmax, solve, "the first 20 of 3,000 lines")
    assert solve.bounding_box()["height"] < 2000


def wrong_then_right(page, name, part, source, pictures):
    """Answer with the mistake whose name holds `part`, which the card tells, then with `source`."""
    solve, exercise = cell(page, f"def {name}("), exercise_named(name)
    mutant = next(m for m in exercise.mutants if part in m.name)
    answer(page, solve, exercise.with_mistake(mutant))
    assert "wrong" in below(page, solve, mutant.name)
    solve.locator(".jp-OutputArea").scroll_into_view_if_needed()
    page.screenshot(path=ARTIFACTS / pictures.format("wrong"))
    answer(page, solve, source)
    assert mutant.name not in below(page, solve, "right")
    page.screenshot(path=ARTIFACTS / pictures.format("right"))


def test_a_wrong_answer_shows_its_diagnosis_and_the_right_one_a_green_card(softmax):
    wrong_then_right(softmax, "safe_softmax", "not subtracted", exercise_named("safe_softmax").source, "{}.png")


def test_a_loop_without_end_is_told_with_its_line_and_stopped_by_keys(softmax):
    solve = cell(softmax, "def safe_softmax(")
    answer(softmax, solve, "def safe_softmax(x):\n    while True:\n        x = x\n    return x")
    below(softmax, solve, f"case 1 of {len(exercise_named('safe_softmax').cases)}, ")
    text = below(softmax, solve, "Does a loop never end?")
    assert "in safe_softmax, " in text and "Press I I" in text
    softmax.keyboard.press("Escape")
    softmax.keyboard.press("i")
    softmax.keyboard.press("i")
    text = below(softmax, solve, "was interrupted before it gave an answer")
    assert "Does a loop never end? Press" not in text, "the card has taken the line's place"


def test_there_is_no_news_and_no_teachers_menu(softmax):
    """Asked late: news come some seconds after the page."""
    assert not softmax.get_by_text("official Jupyter news").count()
    assert not softmax.get_by_text("Nbgrader", exact=True).count()


def test_the_map_of_the_course_leads_to_the_next_lesson(softmax):
    last = softmax.locator(".jp-Notebook .jp-CodeCell").last
    answer(softmax, last, "progress()")
    last.locator(".jp-OutputArea a", has_text=lesson_named("flash_forward").title).click()
    softmax.locator(".lm-TabBar-tabLabel", has_text="flash_forward").first.wait_for()


@pytest.mark.skipif(not interpreter.has_triton(), reason="Triton is not installed on this machine")
def test_so_it_is_with_a_kernel_of_triton_and_the_next_step_opens_with_it(lab, new_page):
    exercise = exercise_named("flash_full")
    with contextlib.closing(new_page()) as page:
        page.goto(lab(lesson_named("flash_forward").notebook.name))
        run(page, cell(page, "load_ext autograder"))
        run(page, cell(page, "import triton"))
        mine = exercise.source.replace("    for start in", "    # my own words\n    for start in")
        wrong_then_right(page, "flash_full", "not divided by the denominator", mine, "kernel_{}.png")
        then = cell(page, "def flash_ragged(")
        run(page, then)
        below(page, then, OPENED.format("flash_full"))
        text = then.locator(".cm-content").inner_text()
        assert "# my own words" in text and "raise NotImplementedError" in text and "def flash_ragged(" in text


def cell(page, text):
    return page.locator(".jp-Notebook .jp-CodeCell", has_text=text).first


def run(page, code_cell):
    """Run a cell and wait for its end.

    While a kernel connects, JupyterLab takes no cell, or asks which kernel it should be: answer, and press again.
    """
    for _ in range(5):
        question = page.locator(".jp-Dialog .jp-mod-accept")
        if question.count():
            question.first.click()
        code_cell.locator(".cm-content").click()
        page.keyboard.press("Control+Enter")
        try:
            code_cell.locator(".jp-InputPrompt:not(:has-text('[ ]'))").wait_for(timeout=5_000)
            break
        except playwright.TimeoutError:
            continue
    code_cell.locator(".jp-InputPrompt:not(:has-text('*')):not(:has-text('[ ]'))").wait_for()


def answer(page, code_cell, source):
    code_cell.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(source)
    page.keyboard.press("Control+Enter")
