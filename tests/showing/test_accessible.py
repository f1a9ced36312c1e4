"""What people see, looked at by axe in a real browser, on light and on dark: no serious finding."""

import os

import pytest

from autograder.grading.class_report import report
from autograder.grading.grade import result_of
from autograder.grading.reading.submission import Submission
from autograder.judging.verdict import Verdict
from autograder.notebook.check import check
from autograder.notebook.hints import hint
from autograder.notebook.progress import folder, progress, record
from autograder.notebook.questions import check_answer
from autograder.runner.engines.triton import interpreted
from autograder.spec import interpreter
from autograder.spec.catalogue import exercise_named, lessons
from autograder.tracing.trace import trace
from tests.browser import browsing, needs_browser
from tests.showing.test_card import every_state

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed here")

pytestmark = needs_browser
THEMES = {"light": "background:#fff;color:#000", "dark": "background:#111;color:#e8e8e8"}
PAGE = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A notebook</title></head>'
    '<body style="{};font:14px sans-serif"><main><h1>A notebook</h1>{}</main></body></html>'
)


def serious(page):
    """What axe finds: the rule, and the element."""
    found = axe.Axe().run(page).response["violations"]
    return [
        f"{violation['id']}: {node['html'][:200]}"
        for violation in found
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]


@pytest.fixture(scope="module")
def page():
    with browsing() as new_page:
        yield new_page(width=700)


def cards():
    from autograder.showing import card

    return "".join(map(card.html, every_state().values()))


def course_map():
    for lesson in lessons():
        (folder() / lesson.notebook.name).parent.mkdir(exist_ok=True)
        (folder() / lesson.notebook.name).write_text("")
    record(Verdict(lessons()[0].exercises[0], "pass", 2.0))
    os.chdir(folder())
    return progress().html


def verbs():
    def safe_softmax(x):
        print("what the learner prints")
        return x

    question = lessons()[0].questions[0].name
    found = [check(safe_softmax)._repr_html_(), hint(safe_softmax).html, check_answer(question, 1).html]
    found.append(trace(exercise_named("BlockAllocator").function).html)
    if interpreter.has_triton() and interpreted():
        found.append(trace(exercise_named("paged_decode").function, case=5).html)
    return "".join(found)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("made", [cards, course_map, verbs])
def test_nothing_serious_is_found_in_a_notebook(page, monkeypatch, theme, made):
    monkeypatch.chdir(os.getcwd())
    page.set_content(PAGE.format(THEMES[theme], made()))
    page.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
    assert serious(page) == []


@pytest.mark.parametrize("theme", THEMES)
def test_nothing_serious_is_found_in_a_class_report(page, theme):
    verdicts = list(every_state().values())[:3]
    submission = Submission("ada", "0" * 64, ("a.py",), {}, (), ("a.py was left out",))
    page.emulate_media(color_scheme=theme)
    page.set_content(report([result_of(submission, [verdict], ["a note"], "seed", "limits") for verdict in verdicts]))
    assert serious(page) == []


def test_what_is_unreadable_is_found(page):
    page.set_content(PAGE.format(THEMES["light"], '<b style="color:#d9453d">wrong</b>'))
    assert serious(page) == ['color-contrast: <b style="color:#d9453d">wrong</b>']


def test_folds_open_by_keyboard(page):
    page.set_content(PAGE.format(THEMES["light"], cards()))
    for _ in range(2):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.parentElement.open")
