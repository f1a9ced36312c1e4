"""What a student's files hold, read as data and never run: the answers to the course's exercises."""

from __future__ import annotations

import contextlib
import io
import re
import tokenize
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from simt.source import text_in

from ...backends import PYTHON, backend_of
from ...spec import notebook
from ...spec.catalogue import exercises, lesson_of, near_exercise
from ...spec.user_error import LIST_SHOWS
from .broken import without_broken
from .files import MAX_BYTES, UTF_8, Files, SubmissionError, kind_of, look_at
from .overlooked import cut_off, overlooked

MAX_SOURCE = 100_000  # characters of one answer: a syntax tree takes some 500 times the memory of its source
MAX_SOURCES = 2_000_000  # of all answers together, which the whole course's would fill by a fifth
MOST_NAMES = 1000  # of functions and classes in all files, which are held against those of exercises
NONE_IN_THERE = "no exercise of the course is in there"
MERGE = "what stands below is no part of the answer: in JupyterLab select both, and choose Edit, Merge Selected Cells"
FROM_FILE = r"%cuda\s+(\w+)"  # what a cell says that takes a kernel from NAME.cu beside the notebook


@dataclass(frozen=True)
class Answer:
    """The code that answers one exercise and the file it came from."""

    source: str
    file: str


@dataclass(frozen=True)
class Submission:
    """One student's answers, by exercise, with the names of the files. `hash` is of the files' names and contents.

    An untouched starter is no answer; `untouched` names the exercises of which nothing else is there, in the order of
    the course. `notes` says what could not be used, `unread` what this machine could not read: then nothing is graded.
    """

    student: str
    hash: str
    files: tuple[str, ...]
    answers: dict[str, Answer]
    untouched: tuple[str, ...]
    notes: tuple[str, ...]
    unread: str = ""


def read_answers(given: Files, salvaging: bool = True) -> Submission:
    """The answers in a student's files. A notebook's cell is preferred to a .py file's function, and of notebooks that
    of the exercise's lesson.

    salvaging: what cannot be read becomes a note, beside what is left of it, and is no SubmissionError.
    """
    found: dict[str, Answer] = {}
    seen: set[str] = set()
    too_long: set[str] = set()
    notes = list(given.notes)
    elsewhere: dict[str, str] = {}  # the notebooks that leave an exercise to its .cu file
    left = MAX_SOURCES
    for name, data in sorted(given.files, key=lambda f: (kind_of(f[0]) != ".ipynb", f[0])):
        try:
            sources = sources_in(name, data)
        except SubmissionError as error:
            if not salvaging:
                raise SubmissionError(_unusable(name, data, error)) from None
            sources = salvaged_from(name, data)
            is_json = kind_of(name) == ".ipynb" and notebook.is_json(data)
            harm = "is no notebook as Jupyter writes them" if is_json else "is damaged"
            lost = ", ".join(cut_off(data, sources))
            kept = f"{harm}; only its whole cells were read{f', so {lost} was not' if lost else ''}"
            notes.append(f"{name} {kept if sources else f'was left out: {error}'}")
        notes += _mistakes(name, data) if sources else []
        seen |= sources.keys()
        left -= sum(len(source) for source in set(sources.values()) if len(source) <= MAX_SOURCE)
        if left < 0:
            notes.append(f"{name} was left out: all answers together are longer than {MAX_SOURCES:,} characters")
            break
        twice: dict[tuple[str, str], list[str]] = {}
        for exercise, source in sources.items():
            if len(source) > MAX_SOURCE:
                what = f"{exercise} in {name}" if kind_of(name) == ".ipynb" else name
                notes.append(f"{what} was left out: it is longer than {MAX_SOURCE:,} characters")
                too_long.add(exercise)
            elif re.fullmatch(FROM_FILE, source.strip()):
                elsewhere[exercise] = name
            elif not exercises()[exercise].is_starter(source):
                answer = Answer(backend_of(exercises()[exercise]).runnable(source), name)
                other = found.setdefault(exercise, answer)
                if other.source != answer.source:
                    if _is_of_its_lesson(answer, exercise) and not _is_of_its_lesson(other, exercise):
                        found[exercise], answer, other = answer, other, answer
                    twice.setdefault((answer.file, other.file), []).append(exercise)
        notes += [
            f"{', '.join(of)} in {not_read} not read: what {file} says counts" for (not_read, file), of in twice.items()
        ]
    notes += overlooked(given, seen)
    if not seen and not notes and given.files:
        notes.append(f"{', '.join(sorted(name for name, _ in given.files))[:200]}: {NONE_IN_THERE}")
    missing = [(exercise, name) for exercise, name in elsewhere.items() if exercise not in found]
    notes += [f"{exercise}.cu, from which {name} takes {exercise}, is not there" for exercise, name in missing]
    untouched = tuple(name for name in exercises() if name in seen - found.keys() - too_long)
    names = tuple(sorted(name for name, _ in given.files))
    return Submission(given.student, given.hash, names, found, untouched, tuple(dict.fromkeys(notes)), given.unread)


def _unusable(name: str, data: bytes, why: SubmissionError) -> str:
    """For the author of a file that cannot be read: what is wrong with it, and what to do."""
    if kind_of(name) != ".ipynb":
        return f"{name} cannot be read: {why}"
    if notebook.is_json(data):
        return f"{name} cannot be read: {why}; open it in JupyterLab and save it again"
    harm = "empty" if not data.strip() else "damaged: its end is missing, or more"
    mended = "`tilewise lab` keeps it aside and makes one with the answers that it still holds"
    return f"{name} is {harm}; if it is your copy of a lesson, {mended}"


def _is_of_its_lesson(answer: Answer, exercise: str) -> bool:
    """Whether an answer stands in the notebook of its lesson, and not in one that has a helper of the same name."""
    return Path(answer.file).name == lesson_of(exercises()[exercise]).notebook.name


def sources_in(name: str, data: bytes) -> dict[str, str]:
    """The source for each exercise that a file holds, untouched ones too. Raises SubmissionError if unreadable."""
    try:
        if kind_of(name) == ".ipynb":
            return _answers(notebook.read(data.decode("utf-8-sig")))
        if not data.strip():
            raise ValueError("empty")
        text = _text(data, kind_of(name))
        if script := notebook.of_script(text):
            return _answers(script)
        kept, _ = _without_broken(name, text)
        defined = [exercise for exercise in exercises() if notebook.defines(text, exercise)]
        return {exercise: kept if notebook.defines(kept, exercise) else text for exercise in defined}
    except (ValueError, LookupError) as error:  # a LookupError: the file names an encoding that is none of text
        encoded = isinstance(error, UnicodeError | LookupError)
        encoding = _encoding(data) if kind_of(name) == ".py" else UTF_8
        said = "it is not UTF-8 text; save it as that"
        if encoding != UTF_8:
            said = (
                f"it says that its encoding is {encoding}, and is no text in that; save it as UTF-8 without that line"
            )
        reason = said if encoded else f"it is {error}"
        raise SubmissionError("it is empty" if not data.strip() else reason) from None


def _without_broken(name: str, text: str) -> tuple[str, str]:
    """The text of a .py file without what is no Python, and what is wrong with that; a text without that, whole."""
    if kind_of(name) != ".py" or len(text) > MAX_SOURCE:
        return text, ""
    kept, wrong = without_broken(PYTHON.runnable(text))  # what is Jupyter's alone is another matter
    return (kept, wrong) if wrong else (text, "")


def _mistakes(name: str, data: bytes) -> list[str]:
    """A note on what was left out of a .py file, whose answers share its text, for a mistake of syntax."""
    with contextlib.suppress(ValueError, LookupError):
        text = _text(data, kind_of(name))
        if not notebook.of_script(text) and (wrong := _without_broken(name, text)[1]):
            return [f"{name}: {wrong}; what stands there was left out"]
    return []


def _text(data: bytes, kind: str) -> str:
    """The text of a file, in the encoding that Python finds for it, with Python's ends of lines."""
    if kind == ".cu":
        return text_in(data)
    return data.decode(_encoding(data)).replace("\r\n", "\n").replace("\r", "\n")


def _encoding(data: bytes) -> str:
    """The encoding in which Python reads a file."""
    with contextlib.suppress(SyntaxError):  # of one that is not known
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return UTF_8 if encoding == "utf-8" else encoding
    return UTF_8


def salvaged_from(name: str, data: bytes) -> dict[str, str]:
    """The source for each exercise that a damaged notebook still holds whole; none of any other file."""
    found = notebook.salvaged(data.decode("utf-8-sig", errors="replace")) if kind_of(name) == ".ipynb" else None
    return _answers(found) if found else {}


def _answers(found: notebook.Notebook) -> dict[str, str]:
    return notebook.answers(found, exercises(), lambda name, cell: exercises()[name].is_starter(cell))


def named_by_cells(path: Path) -> list[Path]:
    """The files beside a notebook from which its cells take a kernel by %cuda, whether they are there or not."""
    text = ""
    if kind_of(path.name) == ".ipynb":
        with contextlib.suppress(OSError):
            text = path.read_text(encoding="utf-8", errors="replace")
    return [path.with_name(f"{name}.cu") for name in dict.fromkeys(re.findall(f'"{FROM_FILE}', text))]


def read_files(paths: Sequence[Path]) -> tuple[Files, Submission]:
    """The files that a student names, with those beside a notebook that its cells name by %cuda, and what they hold.

    Raises SubmissionError if one of them cannot be used.
    """
    look_at(paths)
    given_names = {path.name for path in paths}
    named = (file for path in paths for file in named_by_cells(path) if file.name not in given_names)
    beside = filter(Path.is_file, named)
    files: dict[str, bytes] = {}
    for path in dict.fromkeys([*paths, *beside]):
        try:
            files[path.name] = path.read_bytes()
        except OSError as error:
            raise SubmissionError(f"{path} cannot be read: {error.strerror}; check its name with ls") from None
    if sum(map(len, files.values())) > MAX_BYTES:
        raise SubmissionError(f"the files are larger than {MAX_BYTES >> 20} MB; clear the notebooks' outputs")
    given = Files("you", tuple(sorted(files.items())))
    submission = read_answers(given, salvaging=False)
    misspelt = _misspelt(given, submission.answers)
    if not submission.answers and not submission.untouched:
        why = (f": {note}" for note in submission.notes if not note.endswith(NONE_IN_THERE))
        meant = next(why, next((f"; did you mean {near}?" for near in misspelt.values()), LIST_SHOWS))
        raise SubmissionError(f"{' and '.join(files)} holds none of the course's exercises{meant}")
    said = (f"{name} is no exercise; did you mean {near}?" for name, near in misspelt.items())
    return given, replace(submission, notes=(*submission.notes, *said, *_split(given)))


def _split(given: Files) -> Iterator[str]:
    """A sentence on each exercise whose cell was split in two, by accident or to try a part of it."""
    for name, data in given.files:
        if kind_of(name) == ".ipynb":
            for exercise in notebook.split(notebook.read(data.decode(UTF_8)), exercises()):
                yield f"The cell of {exercise} in {name} was split in two, and {MERGE}"


def _misspelt(given: Files, answered: Collection[str]) -> dict[str, str]:
    """Names of functions, classes and kernels that are nearly those of exercises without an answer, and these."""
    text = "\n".join(data.decode(errors="replace") for _, data in given.files)
    defined = dict.fromkeys(re.findall(r'(?:^|")(?:def|class)\s+(\w+)|\bvoid\s+(\w+)', text, re.M))
    names = (name for pair in list(defined)[:MOST_NAMES] for name in pair if name)
    return {name: near for name in names if (near := near_exercise(name)) and near not in answered}
