"""What a command's words name: files, or lessons and exercises, by which the learner's own copies are meant."""

from __future__ import annotations

import difflib
import os
from collections.abc import Sequence
from pathlib import Path

from ..grading.reading.files import SUFFIXES, kind_of, look_at
from ..notebook.progress import copy_of
from ..notebook.progress import folder as work
from ..spec.index import Contents, contents
from ..spec.user_error import LIST_SHOWS, UserError, did_you_mean

NEAR = 0.75  # of two files' names, of which one may be meant by the other


def files_and_exercises(words: Sequence[str]) -> tuple[list[Path], list[str]]:
    """The files, each once, and the exercises to which a check is limited; none of these means all.

    A word is a file, a lesson (its number, topic or stem) or an exercise. These are looked for in the files; where none
    is named, in the learner's copies. An exercise beside its lesson limits that, as it limits a file. Raises UserError
    if a word is none of these, if an exercise stands beside lessons of which none has it, or if a file cannot be used.
    """
    given = [Path(word) for word in words if _is_file(word)]
    meant = [(word, *_lesson(word)) for word in words if not _is_file(word)]
    limited = {stem: word for word, stem, names in meant if names == [word]}
    whole = dict.fromkeys(stem for word, stem, names in meant if names != [word])
    for stem, exercise in limited.items() if whole else ():
        if stem not in whole:
            raise UserError(f"{exercise} is in {stem}, not in {' or '.join(whole)}; name it alone, or that lesson too")
    chosen = [name for word, stem, names in meant if names == [word] or stem not in limited for name in names]
    copies = [] if given else [copy_of(stem) for _, stem, _ in meant]
    be_there(given)
    paths = list(dict.fromkeys(given or copies))
    look_at(paths)
    return paths, list(dict.fromkeys(chosen))


def whole_files(words: Sequence[str]) -> list[Path]:
    """The files, each once; of a lesson the learner's copy.

    Raises UserError if a word is neither, as an exercise, or if a file cannot be used.
    """
    be_there([Path(word) for word in words if _is_file(word)])
    paths = list(dict.fromkeys(Path(word) if _is_file(word) else _copy(word) for word in words))
    look_at(paths)
    return paths


def _copy(word: str) -> Path:
    """The learner's copy of the lesson that a word means, also where an exercise has its name."""
    if lesson := _lesson_of_name(word):
        return copy_of(lesson.stem)
    stem, _ = _lesson(word)
    raise UserError(f"{word} is an exercise; name its lesson, {stem}, which is handed in whole")


def be_known(words: Sequence[str]) -> None:
    """Raises UserError if a word is no file that can be used, lesson or exercise."""
    files = [Path(word) for word in words if _is_file(word)]
    be_there(files)
    look_at(files)
    for word in words:
        if not _is_file(word):
            _lesson(word)


def _is_file(word: str) -> bool:
    return bool(Path(word).suffix) or os.sep in word or Path(word).exists()


def be_there(paths: Sequence[Path]) -> None:
    """Raises UserError, which names files of similar names, for a path at which no file is."""
    copies = [f"{lesson.stem}.ipynb" for lesson in contents()]
    for path in paths:
        if path.exists():
            continue
        folders = [path.parent if path.parent.is_dir() else Path(), work()]
        files = [file for folder in folders for file in folder.glob("*") if kind_of(file.name) in SUFFIXES]
        there = {file.resolve(): file for file in reversed(files)}  # once each, under the shorter name
        known = [*(file.name for file in there.values()), *copies]
        for name in difflib.get_close_matches(path.name, known, n=1, cutoff=NEAR):
            if near := [str(file) for file in there.values() if file.name == name]:
                raise UserError(f"{path} is not there; did you mean {' or '.join(near)}?")
            raise UserError(f"{path} is not there, nor your copy of {name}, which `tilewise lab` makes")


def be_a_folder(out: Path) -> None:
    """Raises UserError if what is to be written into is a file."""
    if out.exists() and not out.is_dir():
        raise UserError(f"--out {out} is a file; give a folder, which is made if it is not there")


def stem_and_exercise(word: str) -> tuple[str, str]:
    """The stem of the lesson and the name of its exercise that a word means. Raises UserError if it means none."""
    if _is_file(word):
        raise UserError(f"{word} is a file; name one exercise of it, by which your own copy is meant")
    stem, exercises = _lesson(word)
    if exercises != [word]:
        raise UserError(f"{word} is a lesson; name one of its exercises: {', '.join(exercises)}")
    return stem, word


def _lesson_of_name(word: str) -> Contents | None:
    """The lesson whose stem, topic or number the word is."""
    for lesson in contents():
        if word in (lesson.stem, lesson.stem[3:], str(lesson.number), f"{lesson.number:02d}"):
            return lesson
    return None


def _lesson(word: str) -> tuple[str, list[str]]:
    """The stem of the lesson, and the exercises of it, that a word means: an exercise, where a topic has its name."""
    names = {lesson.stem: [exercise.name for exercise in lesson.exercises] for lesson in contents()}
    for stem, exercises in names.items():
        if word in exercises:
            return stem, [word]
    if lesson := _lesson_of_name(word):
        return lesson.stem, names[lesson.stem]
    known = [name for stem, exercises in names.items() for name in (stem[3:], *exercises)]
    raise UserError(f"{word} is no file, lesson or exercise{did_you_mean(word, known, LIST_SHOWS)}")
