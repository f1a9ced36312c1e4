"""What was handed in, as files: loose, in folders or zipped. Kept as bytes, and not looked into."""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from unicodedata import category

from ...spec.user_error import UserError

SUFFIXES = {".ipynb", ".py", ".cu"}
MAX_FILES, MAX_BYTES = 200, 64 << 20
MOST_NOTES = 20  # on what was left out


class SubmissionError(UserError):
    """A submission that cannot be read; the message says why in one sentence."""


@dataclass(frozen=True)
class Files:
    """One student's files, by name. `notes` says what could not be used."""

    student: str
    files: tuple[tuple[str, bytes], ...] = ()
    notes: tuple[str, ...] = ()

    @cached_property
    def hash(self) -> str:
        """SHA-256 of the names and contents of all files, in order of name."""
        digest = hashlib.sha256()
        for name, data in sorted(self.files):
            for part in (name.encode(), data):
                digest.update(len(part).to_bytes(8, "big") + part)
        return digest.hexdigest()


def entries_in(path: Path) -> list[tuple[Path, str]]:
    """What lies under `path`, one entry for each student, and the students' names, by which they are sorted.

    A folder holds one entry for each student: a subfolder with files, a zip, or a single notebook, .py or .cu file. A
    file or zip by itself is one submission. The entry's name is the student's. Raises SubmissionError if there is
    nothing to grade.
    """
    if not path.exists():
        raise SubmissionError(f"{path} does not exist; give a folder, a zip, a notebook, or a .py or .cu file")
    entries = sorted(p for p in path.iterdir() if not p.name.startswith(".")) if path.is_dir() else [path]
    by_student: dict[str, Path] = {}
    for entry in entries:
        if not entry.is_dir() and entry.suffix not in SUFFIXES | {".zip"}:
            continue
        student = one_line(entry.stem if entry.is_file() else entry.name)
        while student in by_student:
            student += "+"
        by_student[student] = entry
    if not by_student:
        raise SubmissionError(f"{path} holds nothing to grade: no folder, zip, notebook, .py or .cu file")
    return [(by_student[student], student) for student in sorted(by_student)]


def files_of(entry: Path, student: str) -> Files:
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
        return Files(student, (), (f"{one_line(entry.name)} could not be read: {_said(error)}",))
    notes = [*notes[:MOST_NOTES], f"{len(notes) - MOST_NOTES} more were left out"] if notes[MOST_NOTES:] else notes
    if not files and not notes:
        notes.append(f"{one_line(entry.name)} holds no notebook, .py or .cu file")
    return Files(student, tuple(sorted(files.items())), tuple(notes))


def _said(error: Exception) -> str:
    return str(error) if isinstance(error, (SubmissionError, OSError)) else f"{type(error).__name__}: {error}"[:200]


def _disk_files(entry: Path) -> Iterator[tuple[str, bytes | str]]:
    """Names and contents of the files of an entry; a string instead of the content says why one is left out."""
    paths: Sequence[Path] = [entry] if entry.is_file() else sorted(entry.rglob("*"))
    base = entry.parent if entry.is_file() else entry
    for path in paths:
        name = one_line(path.relative_to(base).as_posix())
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
        name = PurePosixPath(one_line(info.filename))
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


def one_line(name: str) -> str:
    """A file's name as one line of text that can be encoded and printed: what is not becomes escapes such as \\xff."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return "".join(c.encode("unicode_escape").decode() if category(c) in ("Cc", "Zl", "Zp") else c for c in text)
