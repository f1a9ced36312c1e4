"""What was handed in: notebooks, .py and .cu files, loose, in folders or zipped. Read as data, never run here."""

from __future__ import annotations

import hashlib
import io
import itertools
import os
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path, PurePosixPath
from unicodedata import category

from ..backends import backend_of
from ..spec import notebook
from ..spec.catalogue import Lesson, exercises, lesson_of
from ..spec.exercise import Exercise
from ..spec.folders import KERNELS
from ..spec.starter import names_bound, names_in
from ..spec.user_error import UserError

SUFFIXES = {".ipynb", ".py", ".cu"}
MAX_FILES, MAX_BYTES = 200, 64 << 20
MOST_NOTES = 20  # on what was left out
MAX_SOURCE = 250_000  # characters of one answer: a syntax tree takes some 500 times the memory of its source


class SubmissionError(UserError):
    """A submission that cannot be read; the message says why in one sentence."""


@dataclass(frozen=True)
class Answer:
    """The code that answers one exercise and the file it came from."""

    source: str
    file: str


@dataclass(frozen=True)
class Submission:
    """One student's files, by name. `notes` says what could not be read."""

    student: str
    files: tuple[tuple[str, bytes], ...]
    notes: tuple[str, ...] = ()

    @cached_property
    def hash(self) -> str:
        """SHA-256 of the names and contents of all files, in order of name."""
        digest = hashlib.sha256()
        for name, data in sorted(self.files):
            for part in (name.encode(), data):
                digest.update(len(part).to_bytes(8, "big") + part)
        return digest.hexdigest()

    def answers(self) -> tuple[dict[str, Answer], list[str]]:
        """The code for each exercise of the course that the submission answers, and notes on unreadable files.

        Untouched starters do not count as answers. A notebook's cell is preferred to a .py file's function.
        """
        return self._read[0], self._read[2]

    def untouched(self) -> list[str]:
        """The exercises that are present only as the starter that everybody is given, in the order of the course."""
        return self._read[1]

    @cached_property
    def _read(self) -> tuple[dict[str, Answer], list[str], list[str]]:
        found: dict[str, Answer] = {}
        seen: set[str] = set()
        notes = list(self.notes)
        for name, data in sorted(self.files, key=lambda f: (not f[0].endswith(".ipynb"), f[0])):
            try:
                sources = sources_in(name, data)
            except SubmissionError as error:
                sources = salvaged_from(name, data)
                reason = "is damaged; only its whole cells were read" if sources else f"was left out: {error}"
                notes.append(f"{name} {reason}")
            seen |= sources.keys()
            for exercise, source in sources.items():
                if len(source) > MAX_SOURCE:
                    notes.append(f"{exercise} in {name} was left out: it is longer than {MAX_SOURCE:,} characters")
                elif not exercises()[exercise].is_starter(source):
                    backend = backend_of(exercises()[exercise])
                    found.setdefault(exercise, Answer(backend.runnable(source), name))
        return found, [name for name in exercises() if name in seen - found.keys()], notes


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


def setup_for(exercise: Exercise) -> str:
    """What is run before an answer: the released lesson's setup cells, or, for a CUDA kernel, its launcher's import."""
    return backend_of(exercise).launcher(exercise) or _lesson_setup(lesson_of(exercise))


@cache
def modules_for(lesson: Lesson, lent: tuple[str, ...] = ()) -> tuple[tuple[str, str], ...]:
    """(name, text) of the course's modules that the lesson's setup imports, and of those that these import.

    lent: the import lines of what an answer is lent besides.
    """
    found: dict[str, str] = {}
    texts = [*lent, _lesson_setup(lesson)]
    texts += [backend_of(exercise).launcher(exercise) for exercise in lesson.exercises]
    while texts:
        for name in re.findall(r"^from kernels import (\w+)|^from kernels\.(\w+) import", texts.pop(), re.M):
            topic = "".join(name)
            if f"kernels.{topic}" not in found:
                found[f"kernels.{topic}"] = KERNELS.joinpath(f"{topic}.py").read_text()
                texts.append(found[f"kernels.{topic}"])
    return tuple(reversed(found.items()))


@cache
def _lesson_setup(lesson: Lesson) -> str:
    return notebook.setup_source(notebook.read(lesson.notebook.read_text()))


def read_files(paths: Sequence[Path]) -> Submission:
    """The files that a student names, as one submission. Raises SubmissionError if one of them cannot be used."""
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
    submission = Submission("you", tuple(sorted(files.items())))
    if not submission.answers()[0] and not submission.untouched():
        names = " and ".join(files)
        raise SubmissionError(f"{names} holds none of the course's exercises; `tilewise list` shows their names")
    return submission


def helpers_of(name: str, answers: dict[str, Answer]) -> list[str]:
    """The other exercises of the lesson that an answer uses, directly or through another, in the course's order."""
    lesson = lesson_of(exercises()[name]).exercises
    home = {f: e.name for e in lesson for f in (e.name, *(kernel.__name__ for kernel in e.kernels))}
    found, new = set[str](), {name}
    while new:
        found |= new
        new = {home[used] for n in new if n in answers for used in names_in(answers[n].source) if used in home} - found
    return [exercise.name for exercise in lesson if exercise.name in found and exercise.name != name]


def lent_to(name: str, answers: dict[str, Answer]) -> list[str]:
    """The exercises before this one that an answer uses, directly or through another, and that nothing hands in.

    It is lent the course's, but not the later ones: they may hold the answer.
    """
    if not backend_of(exercises()[name]).is_python:
        return []
    before = {e.name: e for e in itertools.takewhile(lambda e: e.name != name, exercises().values())}
    home = {f: e.name for e in before.values() for f in (e.name, *(kernel.__name__ for kernel in e.kernels))}
    lesson = lesson_of(exercises()[name])
    there = names_bound(_lesson_setup(lesson)) | answers.keys()
    waiting = {n: answers[n].source for n in (name, *helpers_of(name, answers)) if n in answers}
    found: dict[str, str] = {}
    while waiting:
        used = {home[word] for source in waiting.values() for word in names_in(source) - there if word in home}
        new = {n: before[n].source for n in used - found.keys() - answers.keys()}
        found |= new  # a lesson's own functions are lent as text, which uses others; the rest comes as modules
        waiting = {n: source for n, source in new.items() if lesson_of(before[n]) is lesson}
    return [n for n in before if n in found and backend_of(before[n]).is_python]


def read_submissions(path: Path) -> list[Submission]:
    """The submissions under `path`, sorted by student.

    A folder holds one entry for each student: a subfolder with files, a zip, or a single notebook, .py or .cu file. A
    file or zip by itself is one submission. The entry's name is the student's. Raises SubmissionError if there is
    nothing to grade.
    """
    if not path.exists():
        raise SubmissionError(f"{path} does not exist; give a folder, a zip, a notebook, or a .py or .cu file")
    entries = sorted(p for p in path.iterdir() if not p.name.startswith(".")) if path.is_dir() else [path]
    by_student: dict[str, Submission] = {}
    for entry in entries:
        if not entry.is_dir() and entry.suffix not in SUFFIXES | {".zip"}:
            continue
        student = _text(entry.stem if entry.is_file() else entry.name)
        while student in by_student:
            student += "+"
        by_student[student] = read_one(entry, student)
    if not by_student:
        raise SubmissionError(f"{path} holds nothing to grade: no folder, zip, notebook, .py or .cu file")
    return [by_student[student] for student in sorted(by_student)]


def read_one(entry: Path, student: str) -> Submission:
    """One student's entry: a file, a zip or a folder. What cannot be read becomes a note."""
    files: dict[str, bytes] = {}
    notes: list[str] = []
    try:
        if entry.is_file() and entry.stat().st_size > MAX_BYTES:
            raise _too_much()
        for name, content in _zip_files(entry.read_bytes()) if entry.suffix == ".zip" else _disk_files(entry):
            if isinstance(content, str):
                notes.append(f"{name} was left out: {content}")
            else:
                files[name] = content
            if len(files) > MAX_FILES or sum(map(len, files.values())) > MAX_BYTES:
                raise _too_much()
    except Exception as error:  # whatever a hostile file makes a library raise costs its own author only
        return Submission(student, (), (f"{_text(entry.name)} could not be read: {_said(error)}",))
    notes = [*notes[:MOST_NOTES], f"{len(notes) - MOST_NOTES} more were left out"] if notes[MOST_NOTES:] else notes
    if not files and not notes:
        notes.append(f"{_text(entry.name)} holds no notebook, .py or .cu file")
    return Submission(student, tuple(sorted(files.items())), tuple(notes))


def _said(error: Exception) -> str:
    return str(error) if isinstance(error, (SubmissionError, OSError)) else f"{type(error).__name__}: {error}"[:200]


def _disk_files(entry: Path) -> Iterator[tuple[str, bytes | str]]:
    """Names and contents of the files of an entry; a string instead of the content says why one is left out."""
    paths: Sequence[Path] = [entry] if entry.is_file() else sorted(entry.rglob("*"))
    base = entry.parent if entry.is_file() else entry
    for path in paths:
        name = _text(path.relative_to(base).as_posix())
        if path.suffix not in SUFFIXES | {".zip"} or _is_litter(name):
            continue
        if path.is_symlink() and path != entry:
            yield name, "it is a link"
        elif path.is_file() and path.stat().st_size > MAX_BYTES:
            raise _too_much()
        elif path.is_file() and path.suffix == ".zip":  # a learning platform's folder, with the uploaded zip in it
            yield from _inner_zip(name, path.read_bytes())
        elif path.is_file():
            yield name, path.read_bytes()


def _inner_zip(name: str, data: bytes) -> Iterator[tuple[str, bytes | str]]:
    try:
        yield from ((f"{name}/{inner}", content) for inner, content in _zip_files(data))
    except SubmissionError as error:
        yield name, str(error)


def _zip_files(data: bytes) -> Iterator[tuple[str, bytes | str]]:
    """The files of a zip, in memory. Sizes are enforced while reading, so a zip bomb stops at the limit."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        raise SubmissionError("it is not a zip archive") from None
    left = MAX_BYTES
    for info in archive.infolist():
        if not info.filename:
            yield "a file without a name", "it could not be told apart"
            continue
        name = PurePosixPath(_text(info.filename))
        if info.is_dir() or name.suffix not in SUFFIXES or _is_litter(name.as_posix()):
            continue
        if (info.external_attr >> 16) & 0o170000 == 0o120000:
            yield name.as_posix(), "it is a link"
            continue
        if name.is_absolute() or ".." in name.parts:
            yield name.as_posix(), "its path leads out of the archive"
            continue
        try:
            with archive.open(info) as file:
                content = file.read(left + 1)
        except Exception as error:  # encrypted, unknown method, broken: zlib, lzma and zipfile raise different ones
            raise SubmissionError(f"{name} in it cannot be unpacked ({error})") from None
        left -= len(content)
        if left < 0:
            raise _too_much()
        yield name.as_posix(), content


def _too_much() -> SubmissionError:
    return SubmissionError(f"more than {MAX_FILES} files or {MAX_BYTES >> 20} MB")


def _is_litter(name: str) -> bool:
    """Files that nobody wrote: Jupyter's checkpoints, and what macOS adds to archives."""
    parts = name.split("/")
    return ".ipynb_checkpoints" in parts or "__MACOSX" in parts or parts[-1].startswith("._")


def _text(name: str) -> str:
    """A file's name as one line of text that can be encoded and printed: what is not becomes escapes such as \\xff."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return "".join(c.encode("unicode_escape").decode() if category(c) in ("Cc", "Zl", "Zp") else c for c in text)
