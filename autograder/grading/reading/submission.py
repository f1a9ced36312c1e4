"""What a student's files hold, read as data and never run: the answers to the course's exercises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...backends import backend_of
from ...spec import notebook
from ...spec.catalogue import exercises
from .files import MAX_BYTES, SUFFIXES, Files, SubmissionError

MAX_SOURCE = 100_000  # characters of one answer: a syntax tree takes some 500 times the memory of its source
MAX_SOURCES = 2_000_000  # of all answers together, which the whole course's would fill by a fifth


@dataclass(frozen=True)
class Answer:
    """The code that answers one exercise and the file it came from."""

    source: str
    file: str


@dataclass(frozen=True)
class Submission:
    """One student's answers, by exercise, with the names of the files. `hash` is of the files' names and contents.

    An untouched starter is no answer; `untouched` names the exercises of which nothing else is there, in the order of
    the course. `notes` says what could not be read.
    """

    student: str
    hash: str
    files: tuple[str, ...]
    answers: dict[str, Answer]
    untouched: tuple[str, ...]
    notes: tuple[str, ...]


def read_answers(given: Files) -> Submission:
    """The answers in a student's files. A notebook's cell is preferred to a .py file's function."""
    found: dict[str, Answer] = {}
    seen: set[str] = set()
    notes = list(given.notes)
    left = MAX_SOURCES
    for name, data in sorted(given.files, key=lambda f: (not f[0].endswith(".ipynb"), f[0])):
        try:
            sources = sources_in(name, data)
        except SubmissionError as error:
            sources = salvaged_from(name, data)
            reason = "is damaged; only its whole cells were read" if sources else f"was left out: {error}"
            notes.append(f"{name} {reason}")
        seen |= sources.keys()
        left -= sum(len(source) for source in set(sources.values()) if len(source) <= MAX_SOURCE)
        if left < 0:
            notes.append(f"{name} was left out: all answers together are longer than {MAX_SOURCES:,} characters")
            break
        for exercise, source in sources.items():
            if len(source) > MAX_SOURCE:
                notes.append(f"{exercise} in {name} was left out: it is longer than {MAX_SOURCE:,} characters")
            elif not exercises()[exercise].is_starter(source):
                backend = backend_of(exercises()[exercise])
                found.setdefault(exercise, Answer(backend.runnable(source), name))
    untouched = tuple(name for name in exercises() if name in seen - found.keys())
    names = tuple(sorted(name for name, _ in given.files))
    return Submission(given.student, given.hash, names, found, untouched, tuple(notes))


def sources_in(name: str, data: bytes) -> dict[str, str]:
    """The source for each exercise that a file holds, untouched ones too. Raises SubmissionError if unreadable."""
    try:
        text = data.decode("utf-8-sig")
        if name.endswith(".ipynb"):
            return _answers(notebook.read(text))
        return {name: text for name in exercises() if notebook.defines(text, name)}  # each with the whole text
    except ValueError as error:
        reason = "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else f"it is {error}"
        raise SubmissionError(reason) from None


def salvaged_from(name: str, data: bytes) -> dict[str, str]:
    """The source for each exercise that a damaged notebook still holds whole; none of any other file."""
    found = notebook.salvaged(data.decode("utf-8-sig", errors="replace")) if name.endswith(".ipynb") else None
    return _answers(found) if found else {}


def _answers(found: notebook.Notebook) -> dict[str, str]:
    return notebook.answers(found, exercises(), lambda name, cell: exercises()[name].is_starter(cell))


def read_files(paths: Sequence[Path]) -> tuple[Files, Submission]:
    """The files that a student names, and what they hold. Raises SubmissionError if one of them cannot be used."""
    files: dict[str, bytes] = {}
    for path in dict.fromkeys(paths):
        if path.suffix not in SUFFIXES:
            raise SubmissionError(f"{path} is not a notebook, .py or .cu file; name one, as in work/01_softmax.ipynb")
        if path.name in files:
            raise SubmissionError(f"two of the files are called {path.name}; rename one of them")
        try:
            files[path.name] = path.read_bytes()
            sources_in(path.name, files[path.name])
        except OSError as error:
            raise SubmissionError(f"{path} cannot be read: {error.strerror}; check its name with ls") from None
        except SubmissionError as error:
            raise SubmissionError(f"{path} cannot be read: {error}; open it in JupyterLab and save it again") from None
    if sum(map(len, files.values())) > MAX_BYTES:
        raise SubmissionError(f"the files are larger than {MAX_BYTES >> 20} MB; clear the notebooks' outputs")
    given = Files("you", tuple(sorted(files.items())))
    submission = read_answers(given)
    if not submission.answers and not submission.untouched:
        names = " and ".join(files)
        raise SubmissionError(f"{names} holds none of the course's exercises; `tilewise list` shows their names")
    return given, submission
