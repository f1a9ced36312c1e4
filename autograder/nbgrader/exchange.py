"""nbgrader's exchange, one student at a time: what one of them has put there costs nobody else anything.

The folder for what is handed in may be written to by everybody, so whatever can lie there may.
"""

from __future__ import annotations

import glob
import shutil
import stat
from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.exchange.default import ExchangeCollect, ExchangeReleaseFeedback
from nbgrader.utils import parse_utc

TIME, SECRET = "timestamp.txt", "submission_secret.txt"  # what nbgrader adds to what is handed in
LONGEST = 100  # characters of a time


class CollectFiles(ExchangeCollect):
    """Copies files and folders and nothing else: a link could lead anywhere with the instructor's rights.

    When something was handed in is what the name of its folder says, as it is for nbgrader's choice of the newest one.
    """

    src_records: list[dict[str, Any]]  # with "username", "filename" and "timestamp" each

    def init_src(self) -> None:
        """Find what to collect; a folder that nbgrader's `submit` did not name is none of it."""
        super().init_src()
        named = [record for record in self.src_records if record["timestamp"] != datetime.min]
        for record in self.src_records:
            if record not in named:
                self.log.warning("%s is left out: its name says no time, as `nbgrader submit` does", record["filename"])
        self.src_records = named

    def _path_to_record(self, path: str) -> dict[str, Any]:
        name = Path(path).name
        if len(parts := name.rsplit("+", 3)) < 3 or _time(parts[2]) is None:
            return {"username": name, "filename": name, "timestamp": datetime.min}  # a student of its own
        found: dict[str, Any] = super()._path_to_record(path)
        return found

    def copy_files(self) -> None:
        """Copy all that can be; fails after that, naming who is missing."""
        self.missing: list[str] = []
        for record in self.src_records:
            collected = Path(self.coursedir.format_path(
                self.coursedir.submitted_directory, record["username"], self.coursedir.assignment_id
            ))  # fmt: skip
            if (collected / TIME).exists() and _time_in(collected) is None:
                self.log.warning("%s is damaged and is removed; `collect --update` restores it", collected / TIME)
                (collected / TIME).unlink()
        super().copy_files()
        if self.missing:
            self.fail(f"not collected, as said above: {', '.join(self.missing)}; all others were")

    def do_copy(self, src: str, dest: str, log: Any = None) -> None:
        """Copy the folder `src` to `dest`, or note that it cannot be copied."""
        name = Path(src).name
        try:
            self._copy(src, dest, log)
            if _time_in(Path(dest)) != _time(when := name.rsplit("+", 3)[2]):
                self.log.warning("%s: %s is not what its name says, and is replaced by that", name, TIME)
                (Path(dest) / TIME).unlink(missing_ok=True)
                (Path(dest) / TIME).write_text(when)
        except (OSError, RuntimeError) as error:  # RuntimeError is nbgrader's word for a folder that is too large
            self.log.error("%s cannot be collected: %s", name, error)
            self.missing.append(name.rsplit("+", 3)[0])
            shutil.rmtree(dest, ignore_errors=True)

    def _copy(self, src: str, dest: str, log: Any) -> None:
        """Copy the folder without what is neither a file nor a folder."""
        if Path(src).is_symlink():
            raise OSError("it is a link")
        found = [path for path in Path(src).rglob("*") if path.is_symlink() or not (path.is_file() or path.is_dir())]
        for path in found:
            self.log.warning("%s is %s and is left out", path, "a link" if path.is_symlink() else "no file")
        ignore = self.coursedir.ignore
        self.coursedir.ignore = [*ignore, *{glob.escape(path.name) for path in found}]
        try:
            super().do_copy(src, dest, log)
        finally:
            self.coursedir.ignore = ignore
        for path in (Path(dest), *Path(dest).rglob("*")):  # modes as nbgrader's `submit` gives; not everyone uses it
            path.chmod(path.stat().st_mode | (stat.S_IRWXU if path.is_dir() else stat.S_IRUSR | stat.S_IWUSR))


class ReleaseFeedback(ExchangeReleaseFeedback):
    """Releases what can be released: nbgrader's own ends with the first student whose work it has not collected."""

    src_path: str  # a pattern: the feedback folders of the students

    def copy_files(self) -> None:
        """Release the feedback of each student; fails after that, naming those for whom it waits."""
        missing = []
        for folder in sorted(glob.glob(self.src_path)):
            self.src_path = glob.escape(folder)
            lacks = [name for name in (TIME, SECRET) if not (Path(folder) / name).is_file()]
            if lacks and any(Path(folder).glob("*.html")):
                self.log.error("%s: no %s, which what is collected has", folder, " and no ".join(lacks))
                missing.append(Path(folder).parent.name)
            else:
                super().copy_files()
        if missing:
            self.fail(f"feedback not released, as said above: {', '.join(missing)}; hand them their page yourself")


def _time(text: str) -> datetime | None:
    """What nbgrader reads in a time, if it can."""
    try:
        found: datetime | None = parse_utc(text.strip()) if len(text) <= LONGEST else None
        return found
    except (ValueError, OverflowError, TypeError, OSError):  # OSError: a time zone may be the name of a file
        return None


def _time_in(folder: Path) -> datetime | None:
    """When what lies in the folder was handed in, as the file in it says."""
    try:
        with (folder / TIME).open(encoding="utf-8") as file:
            return _time(file.read(LONGEST + 1))
    except (OSError, ValueError):
        return None
