"""What lies in nbgrader's exchange, where everybody may write, costs nobody but whoever put it there."""

import os
import stat
from functools import cache

import nbgrader.api
import pytest
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeError, ExchangeFactory
from traitlets.config.loader import PyFileConfigLoader

from autograder.nbgrader.course import YOURS, init
from autograder.spec.catalogue import lesson_named

STEM = "01_softmax"
NOTEBOOK = f"{STEM}.ipynb"


class Exchange:
    """An exchange of its own: a call does one step of it."""

    def __init__(self, config, root):
        self.config = config
        self.inbound = root / "tilewise" / "inbound"
        self.inbound.mkdir(parents=True)
        root.chmod(0o777)

    def __call__(self, step, **options):
        folder = CourseDirectory(config=self.config, assignment_id=STEM)
        made = getattr(ExchangeFactory(config=self.config), step)(
            coursedir=folder, authenticator=Authenticator(config=self.config), config=self.config
        )
        for name, value in options.items():
            setattr(made, name, value)
        made.start()


# For each new book nbgrader has a program say this, which takes a second.
VERSION_OF_BOOKS = cache(nbgrader.api.get_alembic_version)


@pytest.fixture
def exchange(tmp_path, monkeypatch):
    monkeypatch.setattr(nbgrader.api, "get_alembic_version", VERSION_OF_BOOKS)
    course = tmp_path / "course"
    init(course, [lesson_named(STEM)], seed="s")
    config = PyFileConfigLoader(YOURS, path=str(course)).load_config()
    config.Exchange.root, config.Exchange.cache = str(tmp_path / "exchange"), str(tmp_path / "cache")
    return Exchange(config, tmp_path / "exchange")


def put(exchange, student, when="2026-01-02 03:04:05 UTC", **files):
    folder = exchange.inbound / f"{student}+{STEM}+{when}+x"
    folder.mkdir()
    for name, text in ({NOTEBOOK: "{}", "timestamp.txt": when} | files).items():
        (folder / name).write_text(text)
    return folder


def test_what_one_student_put_into_the_exchange_keeps_no_other_s_work_back(exchange, tmp_path, caplog):
    put(exchange, "zoe")
    put(exchange, "odd", when="not a time")
    (exchange.inbound / f"file+{STEM}+2026-01-02 03:04:05 UTC+x").touch()
    os.mkfifo(put(exchange, "pipe") / "pipe")
    put(exchange, "closed").chmod(0o500)
    with (put(exchange, "large") / "large").open("wb") as large:
        large.truncate(200 << 20)
    with pytest.raises(ExchangeError, match=r"(file, large|large, file); all others were"):
        exchange("Collect")
    collected = sorted(path.parent.name for path in tmp_path.glob(f"course/submitted/*/{STEM}"))
    assert collected == ["closed", "pipe", "zoe"]
    assert stat.S_IMODE((tmp_path / "course" / "submitted" / "closed" / STEM).stat().st_mode) == 0o700
    assert sorted(os.listdir(tmp_path / "course" / "submitted" / "pipe" / STEM)) == [NOTEBOOK, "timestamp.txt"]
    assert "odd" in caplog.text and "its name says no time" in caplog.text


@pytest.mark.parametrize("text", ["rubbish", "", "\udc80", "2000-01-01 00:00:00 UTC", "1" * 200, None])
def test_work_is_as_late_as_its_folder_says(exchange, tmp_path, text):
    folder = put(exchange, "ann")
    (folder / "timestamp.txt").unlink()
    if text is not None:
        (folder / "timestamp.txt").write_bytes(text.encode(errors="surrogateescape"))
    exchange("Collect")
    kept = tmp_path / "course" / "submitted" / "ann" / STEM / "timestamp.txt"
    assert kept.read_text() == "2026-01-02 03:04:05 UTC"
    if text and text != "2000-01-01 00:00:00 UTC":
        kept.write_bytes(text.encode(errors="surrogateescape"))  # as an earlier version would have collected it
        exchange("Collect", update=True)
        assert kept.read_text() == "2026-01-02 03:04:05 UTC"


def test_feedback_is_released_but_for_those_whose_work_was_not_collected(exchange, tmp_path):
    for student, names in (("by-hand", ()), ("collected", ("timestamp.txt", "submission_secret.txt")), ("none", None)):
        folder = tmp_path / "course" / "feedback" / student / STEM
        folder.mkdir(parents=True)
        for name in () if names is None else (f"{STEM}.html", *names):
            (folder / name).write_text(student)
    with pytest.raises(ExchangeError, match="feedback not released, as said above: by-hand;"):
        exchange("ReleaseFeedback")
    released = (tmp_path / "exchange" / "tilewise" / "feedback").iterdir()
    assert [path.read_text() for path in released] == ["collected"]
