"""What says what is waited for: a line that changes in a terminal, lines now and then in a log."""

import io
import sys
import time
import tracemalloc

import pytest

from autograder.showing import terminal
from autograder.showing.terminal import SILENT, saying, told_every, waited_for


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def quick(monkeypatch):
    """A second takes a thousandth of one."""
    monkeypatch.setattr(terminal, "told_every", lambda seconds, tell: told_every(seconds / 1000, tell))


def wait_for(page, text):
    for _ in range(5000):
        if text in page.getvalue():
            return
        time.sleep(0.001)
    raise AssertionError(page.getvalue())


def test_the_line_is_written_over_and_gone_at_the_end(monkeypatch, quick):
    page = Terminal()
    monkeypatch.setattr(sys, "stderr", page)
    with saying("safe_softmax: checking"):
        wait_for(page, "\rsafe_softmax: checking, 0 s\x1b[K")
    assert page.getvalue().endswith("\r\x1b[K") and "\n" not in page.getvalue()


def test_a_log_is_told_every_ten_seconds_in_lines_of_their_own(monkeypatch, quick):
    page = io.StringIO()
    monkeypatch.setattr(sys, "stderr", page)
    begin = time.monotonic()
    with saying("safe_softmax: checking"):
        wait_for(page, "safe_softmax: checking, 0 s\nsafe_softmax: checking, 0 s\n")
    assert time.monotonic() - begin >= 2 * SILENT / 1000 and not {"\r", "\x1b"} & set(page.getvalue())


def test_what_is_quick_has_no_line(monkeypatch):
    for page in (Terminal(), io.StringIO()):
        monkeypatch.setattr(sys, "stderr", page)
        with saying("safe_softmax: checking"):
            pass
        assert page.getvalue() == ""


def test_each_is_named_while_it_is_waited_for(monkeypatch, quick):
    page = Terminal()
    monkeypatch.setattr(sys, "stderr", page)

    def slow():
        for name in ("a", "b"):
            wait_for(page, f"\r{name}: checking, ")
            yield name.upper()

    found = waited_for(["a", "b", "c"], "checking", slow())
    assert next(found) == "A"
    so_far = page.getvalue()
    time.sleep(0.01)
    assert page.getvalue() == so_far, "nothing is written while the caller is at work"
    assert [*found] == ["B"]


def test_waiting_takes_no_memory_that_an_answer_would_be_charged_for():
    """The least of some tries: threads that run the tests take memory of their own."""
    taken = []
    with told_every(0.001, lambda: None):
        tracemalloc.start()
        try:
            for _ in range(8):
                time.sleep(0.01)
                tracemalloc.reset_peak()
                before = tracemalloc.get_traced_memory()[0]
                time.sleep(0.02)
                taken.append(tracemalloc.get_traced_memory()[1] - before)
        finally:
            tracemalloc.stop()
    assert min(taken) < 1000, taken


def test_what_is_interrupted_is_named_where_there_was_no_line_too(monkeypatch):
    page = io.StringIO()
    monkeypatch.setattr(sys, "stderr", page)

    def interrupted():
        yield "A"
        raise KeyboardInterrupt

    found = waited_for(["a", "b"], "checking", interrupted())
    assert next(found) == "A" and page.getvalue() == ""
    with pytest.raises(KeyboardInterrupt):
        next(found)
    assert page.getvalue() == "\nb: stopped while checking.\n"
