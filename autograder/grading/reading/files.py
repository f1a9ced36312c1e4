"""What was handed in, as files: loose, in folders or zipped. Kept as bytes, and not looked into."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from stat import S_ISDIR, S_ISLNK, S_ISREG
from unicodedata import category

from ...spec.user_error import UserError, kind_and_message

UTF_8 = "utf-8-sig"
SUFFIXES = {".ipynb", ".py", ".cu"}
ARCHIVES = {".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst"}  # which are not opened
MAX_FILES, MAX_BYTES = 200, 64 << 20
SURPLUS = f"{MAX_FILES} files were read before it, and no more are"
NOT_OPENED = "it is an archive of a kind that is not opened; pack a zip"
ZIP = b"PK\x03\x04"  # with which an archive begins that holds something
ENCRYPTED = 1  # the bit of an entry's flags
DEFLATED = 1032  # bytes that come out of one, at the most
LITTER = {"__MACOSX", "node_modules", "site-packages", "dist-packages"}  # folders of what others wrote
MOST_NOTES = 20  # on what was left out
DEEPEST = 100  # folders in one another
TOO_DEEP = f"it lies in more than {DEEPEST} folders, or its path is too long for this machine"


class SubmissionError(UserError):
    """A submission that cannot be read; the message says why in one sentence."""


@dataclass(frozen=True)
class Files:
    """One student's files, by name. `notes` says what could not be used, `unread` what this machine could not read.

    A file that is damaged is its author's; one that has vanished, or may not be opened, is not.
    """

    student: str
    files: tuple[tuple[str, bytes], ...] = ()
    notes: tuple[str, ...] = ()
    unread: str = ""

    @cached_property
    def hash(self) -> str:
        """SHA-256 of the names and contents of all files, in order of name."""
        digest = hashlib.sha256()
        for name, data in sorted(self.files):
            for part in (name.encode(), data):
                digest.update(len(part).to_bytes(8, "big") + part)
        return digest.hexdigest()


def look_at(paths: Sequence[Path]) -> None:
    """Raises SubmissionError if one of the files that a student names cannot be used, before anything is read."""
    names: set[str] = set()
    for path in dict.fromkeys(paths):
        if kind_of(path.name) not in SUFFIXES:
            raise SubmissionError(f"{path} is not a notebook, .py or .cu file; name one, as in work/01_softmax.ipynb")
        if path.name in names:
            raise SubmissionError(f"two of the files are called {path.name}; rename one of them")
        names.add(path.name)
        if path.exists() and not (path.is_file() or path.is_dir()):  # which might be read for ever
            raise SubmissionError(f"{path} is not a regular file; name a notebook, .py or .cu file")
        try:
            path.open("rb").close()
        except OSError as error:
            raise SubmissionError(f"{path} cannot be read: {error.strerror}; check its name with ls") from None


def entries_in(path: Path) -> list[tuple[Path, str]]:
    """What lies under `path`, one entry for each student, and the students' names, by which they are sorted.

    A folder holds one entry for each student: a subfolder with files, a zip, or a single notebook, .py or .cu file. A
    file or zip by itself is one submission. The entry's name is the student's. Raises SubmissionError if there is
    nothing to grade.
    """
    wanted = "give a folder, a zip, a notebook, or a .py or .cu file"
    if not path.exists():
        raise SubmissionError(f"{path} does not exist; {wanted}")
    if not path.is_dir() and kind_of(path.name) not in SUFFIXES | {".zip"}:
        raise SubmissionError(f"{path} is none of what can be graded; {wanted}")
    by_student: dict[str, Path] = {}
    for entry in filter(_is_entry, sorted(path.iterdir())) if path.is_dir() else [path]:
        student = plain_name(entry)
        while student in by_student:
            student += "+"
        by_student[student] = entry
    if not by_student:
        raise SubmissionError(f"{path} holds nothing to grade: no folder, zip, notebook, .py or .cu file")
    return [(by_student[student], student) for student in sorted(by_student)]


def passed_over(path: Path) -> list[str]:
    """Names of what lies in a class's folder and is nobody's entry; a link may lead into another's."""
    there = sorted(path.iterdir()) if path.is_dir() else []
    return [one_line(entry.name) for entry in there if not _is_entry(entry)]


def _is_entry(path: Path) -> bool:
    named = path.is_dir() or kind_of(path.name) in SUFFIXES | ARCHIVES | {".zip"}
    return named and not path.is_symlink() and not _is_litter(f"{path.name}/")


def plain_name(entry: Path) -> str:
    """The student's, unless another entry has it too."""
    return one_line(entry.name if entry.is_dir() else entry.stem)


def kind_of(name: str) -> str:
    """The suffix of a file's name in small letters, in which Windows does not always write it."""
    return PurePosixPath(name).suffix.lower()


class _Room:
    """What may still be read of one submission."""

    def __init__(self) -> None:
        self.files, self.left = MAX_FILES, MAX_BYTES

    def refuses(self, size: int) -> str:
        """Why a file of so many bytes is not read; "" where it is, and has taken its room."""
        if size > MAX_BYTES:
            return f"{_too_large(size)}; are there large outputs to be cleared?"
        if size > self.left:
            return f"with it all files together would have more than {MAX_BYTES >> 20} MB"
        if not self.files:
            return SURPLUS
        self.files -= 1
        self.left -= size
        return ""


def files_of(entry: Path, student: str) -> Files:
    """One student's entry: a file, a zip or a folder. What is damaged or too large becomes a note."""
    files: dict[str, bytes] = {}
    notes: list[str] = []
    surplus: list[str] = []
    unread = ""
    room = _Room()
    try:
        is_zip = kind_of(entry.name) == ".zip" and S_ISREG(entry.stat().st_mode)  # and no folder that is called so
        for name, content in _zip_files(entry, room) if is_zip else _disk_files(entry, room):
            if content == SURPLUS:
                surplus.append(name)
                continue
            if isinstance(content, str):
                notes.append(f"{name} was left out: {content}")
                continue
            if files.setdefault(name, content) != content:
                notes.append(f"{name} is in there more than once; the last one counts")
            files[name] = content
    except OSError as error:
        unread = f"{one_line(Path(str(error.filename or entry)).name)} cannot be read here: {error.strerror}"
    except Exception as error:  # whatever a hostile file makes a library raise costs its own author only
        return Files(student, (), (f"{one_line(entry.name)} could not be read: {_said(error)}",))
    if surplus:
        others = f" and {len(surplus) - 1} more files were" if surplus[1:] else " was"
        notes.append(f"{surplus[0]}{others} left out: {SURPLUS}")
    notes = [*notes[:MOST_NOTES], f"{len(notes) - MOST_NOTES} more were left out"] if notes[MOST_NOTES:] else notes
    if not files and not notes and not unread:
        notes.append(f"{one_line(entry.name)} holds no notebook, .py or .cu file")
    return Files(student, tuple(sorted(files.items())), tuple(notes), unread)


def _said(error: Exception) -> str:
    return str(error) if isinstance(error, SubmissionError) else kind_and_message(error)[:200]


def _disk_files(entry: Path, room: _Room) -> Iterator[tuple[str, bytes | str]]:
    """Names and contents of the files of an entry; a string instead of the content says why one is left out.

    Raises OSError if a file or folder cannot be read.
    """
    paths = [entry]
    is_folder = S_ISDIR(entry.stat().st_mode)
    too_deep: set[str] = set()
    if is_folder:
        paths = sorted(_files_under(entry, too_deep.add), key=lambda path: _order(path.relative_to(entry).as_posix()))
    base = entry if is_folder else entry.parent
    for path in paths:
        name = one_line(path.relative_to(base).as_posix())
        if kind_of(name) not in SUFFIXES | ARCHIVES | {".zip"} or _is_litter(name):
            continue
        try:
            if kind_of(name) in ARCHIVES:
                yield name, NOT_OPENED
            elif path.is_symlink() and path != entry:
                yield name, "it is a link"
            elif not S_ISREG(path.stat().st_mode):
                yield name, "it is not a regular file"
            elif kind_of(name) == ".zip":  # a learning platform's folder, with the uploaded zip in it
                yield from ((f"{name}/{inner}", content) for inner, content in _zip_files(path, room))
            else:
                yield name, room.refuses(path.stat().st_size) or path.read_bytes()
        except SubmissionError as error:
            yield name, str(error)
        except OSError as error:
            if error.errno != errno.ENAMETOOLONG:
                raise
            too_deep.add(path.relative_to(base).parts[0])
    yield from ((f"what lies deepest in {one_line(folder)}", TOO_DEEP) for folder in sorted(too_deep))


def _files_under(top: Path, too_deep: Callable[[str], object]) -> Iterator[Path]:
    """Raises OSError if a folder cannot be read, but for one that too deep a path leads to: of it, `too_deep` is told
    the name of the folder in `top` that holds it. No machine would ever read that.
    """

    def failed(error: OSError) -> None:
        if error.errno != errno.ENAMETOOLONG:
            raise error
        too_deep(Path(error.filename).relative_to(top).parts[0])

    for folder, folders, files in os.walk(top, onerror=failed):
        above = Path(folder).relative_to(top).parts
        if len(above) == DEEPEST and folders:
            too_deep(above[0])
            folders.clear()  # os.walk calls itself, and Python's stack ends
        yield from (Path(folder, file) for file in files)


def _zip_files(path: Path, room: _Room) -> Iterator[tuple[str, bytes | str]]:
    """The files of a zip, in memory. Nothing is unpacked beyond the size that the archive says, nor by other methods
    than deflate, which unpack without an end, so a zip bomb stops.

    Raises OSError if this machine cannot read it: of a damaged one zipfile raises that too, so it reads from memory.
    """
    if path.stat().st_size > MAX_BYTES:
        raise SubmissionError(_too_large(path.stat().st_size))
    data = io.BytesIO(path.read_bytes())
    try:
        archive = zipfile.ZipFile(data)
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        cut = data.getvalue()[:4] == ZIP
        raise SubmissionError("it is a zip archive that was cut off" if cut else "it is not a zip archive") from None
    for info in sorted(archive.infolist(), key=lambda info: _order(info.filename)):
        if not info.filename:
            yield "a file without a name", "it could not be told apart"
            continue
        name = PurePosixPath(one_line(info.filename).lstrip("/"))
        if info.is_dir() or kind_of(name.name) not in SUFFIXES | ARCHIVES | {".zip"} or _is_litter(name.as_posix()):
            continue
        if why := _closed(info, name):
            yield name.as_posix(), why
            continue
        if refused := room.refuses(min(info.file_size, DEFLATED * min(info.compress_size, len(data.getbuffer())))):
            yield name.as_posix(), refused
            continue
        try:
            with archive.open(info) as file:
                content = file.read(info.file_size + 1)  # one more, with which the sum is checked
        except Exception as error:  # damaged: zlib and zipfile raise different ones
            yield name.as_posix(), f"it cannot be unpacked ({str(error) or type(error).__name__})"
            continue
        yield name.as_posix(), content


def _closed(info: zipfile.ZipInfo, name: PurePosixPath) -> str:
    """Why an entry of a zip is not opened; "" if it is."""
    if kind_of(name.name) == ".zip":
        return "it is a zip in a zip, which is not opened"
    if kind_of(name.name) in ARCHIVES:
        return NOT_OPENED
    if S_ISLNK(info.external_attr >> 16):
        return "it is a link"
    if ".." in name.parts:
        return "its path leads out of the archive"
    if info.flag_bits & ENCRYPTED:
        return "it is encrypted"
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "it is packed otherwise than zip programs do by default; pack it anew"
    return ""


def _too_large(size: int) -> str:
    return f"it has {-(-size >> 20)} MB, and at most {MAX_BYTES >> 20} are read"


def _order(name: str) -> tuple[bool, int, str]:
    """In which files are read, of which there may be too many: notebooks first, and what lies in fewer folders."""
    return kind_of(name) != ".ipynb", name.count("/"), name


def _is_litter(name: str) -> bool:
    """Files that nobody wrote: what lies in hidden folders (checkpoints, environments), and what macOS adds."""
    *folders, file = name.split("/")
    hidden = any(folder.startswith(".") and folder != ".." for folder in folders)
    return hidden or not LITTER.isdisjoint(folders) or file.startswith("._")


def one_line(name: str) -> str:
    """A file's name as one line of text that can be encoded and printed: what is not becomes escapes such as \\xff."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return "".join(c.encode("unicode_escape").decode() if category(c) in ("Cc", "Zl", "Zp") else c for c in text)
