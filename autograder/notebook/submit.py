"""A student's own files: check them with the public inputs, and pack them into one zip with a manifest."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from .. import __version__
from ..grading.grade import each_verdict
from ..grading.reading.files import Files, kind_of
from ..grading.reading.submission import Submission, read_files
from ..grading.session import Allowance
from ..judging.prepare import PUBLIC_SEED
from ..judging.verdict import Verdict
from ..processes.child_link import Limits
from ..processes.files import write_atomically
from ..showing.terminal import waited_for
from ..showing.text import text
from ..spec.catalogue import exercises
from ..spec.user_error import UserError
from . import progress, starters
from .live.elsewhere import on_missing
from .live.printed import as_text
from .workspace import has_setup_of_its_own

SCHEMA_VERSION = 1
SYNTAX = {error.__name__ for error in (SyntaxError, IndentationError, TabError)}
UNSAVED = (
    "{}: a passing answer of yours is kept, but this file does not hold it; if the open notebook does, save "
    "it (Ctrl+S), then start this again."
)
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the first date that a zip can hold: the same files make the same bytes on any day


def check_files(paths: Sequence[Path], chosen: Sequence[str] = ()) -> Iterator[tuple[str, bool]]:
    """The card of every exercise answered in the files, as text, as soon as it is known; then a line on the others.
    With each goes whether what it tells of is right. chosen: only these exercises; none means all.

    What is found in the learner's own files is recorded in the progress. Raises UserError if a file cannot be read or
    holds no exercise.
    """
    submission = read_for(paths, chosen)
    for note in notes_on(paths, submission):
        yield note, True
    yield from cards(paths, public_verdicts(submission, chosen))


def read_for(paths: Sequence[Path], chosen: Sequence[str]) -> Submission:
    """What the files hold. Raises UserError if that cannot be read, or is nothing of what is chosen."""
    submission = read_files(paths)[1]
    there = {*submission.answers, *submission.untouched}
    if chosen and there.isdisjoint(chosen):
        names = " and ".join(path.name for path in paths)
        raise UserError(f"{names} holds nothing of {', '.join(chosen)}; what it has: {', '.join(sorted(there))}")
    return submission


def notes_on(paths: Sequence[Path], submission: Submission) -> list[str]:
    """What could not be used of the files, what is looked at in JupyterLab only, and which do not count."""
    notes = _unused(submission)
    if loose := [path.name for path in paths if not progress.counts(path)]:
        notes.append(f"Not in {progress.folder()}, so not counted in your progress: {', '.join(loose)}.")
    return notes + [
        f"The setup cell of {path.name} has been changed. Here and in a grade the course's own is run, so put what an "
        "answer needs into the answer's cell."
        for path in paths
        if has_setup_of_its_own(path)
    ]


def _unused(submission: Submission) -> list[str]:
    """What could not be used of the files, a sentence each."""
    return [note if note.endswith("?") else f"{note}." for note in submission.notes]


def cards(paths: Sequence[Path], verdicts: Iterable[Verdict]) -> Iterator[tuple[str, bool]]:
    """Each verdict as text and whether it is right; last, what nobody has begun. Recorded where the files count.

    The answers of a module share its text, so a mistake of syntax in it is shown once.
    """
    untouched: list[str] = []
    unreadable: set[str] = set()
    stopped: list[str] = []
    counted = all(map(progress.counts, paths))
    for verdict in verdicts:
        verdict.note = verdict.note or on_missing(verdict)
        if counted:
            progress.record(verdict)
            starters.keep(verdict)
        failed = verdict.first_failure
        is_unreadable = failed is not None and failed.failure is not None and failed.failure.kind in SYNTAX
        if verdict.status == "not_attempted" and not verdict.note:
            untouched.append(verdict.name)
        elif is_unreadable and verdict.source in unreadable:
            stopped.append(verdict.name)
        else:
            yield text(verdict, in_terminal=True) + as_text(verdict) + "\n", verdict.status == "pass"
        if is_unreadable:
            unreadable.add(verdict.source)
    if stopped:
        yield f"Stopped by the same mistake of syntax: {', '.join(stopped)}.", False
    if untouched:
        yield f"Not attempted: {', '.join(untouched)}.", True
    for said in _kept_apart(paths, untouched):
        yield said, True


def _kept_apart(paths: Sequence[Path], untouched: Iterable[str]) -> list[str]:
    """A sentence on each exercise, untouched in the learner's own files, of which an answer is kept that has passed."""
    counted = all(map(progress.counts, paths))
    return [UNSAVED.format(name) for name in untouched if counted and starters.passed(name)]


def pack(paths: Sequence[Path], out: Path) -> tuple[Path, dict[str, Any]]:
    """Write one zip with the files and their manifest.json into the folder `out`; returns its path and the manifest.

    The same files give the same bytes. Raises UserError if a file cannot be read or none holds an exercise.
    """
    given, submission = read_files(paths)
    manifest = manifest_of(given, list(public_verdicts(submission)))
    path = out / f"tilewise-{given.hash[:12]}.zip"
    text = json.dumps(manifest, indent=1) + "\n"
    write_atomically(path, zip_bytes([("manifest.json", text.encode()), *given.files]))
    return path, manifest


def public_verdicts(
    submission: Submission, chosen: Sequence[str] = (), allowance: Allowance | None = None
) -> Iterator[Verdict]:
    """The verdicts, with the public seed, on every exercise in the submission, each as soon as it is known.

    chosen: only these exercises; none means all. allowance: with which the check can be ended from another thread.
    """
    there = {*submission.answers, *submission.untouched} & {*(chosen or exercises())}
    names = [name for name in exercises() if name in there]
    return waited_for(names, "checking", each_verdict(submission, names, PUBLIC_SEED, allowance or Allowance(Limits())))


def manifest_of(given: Files, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """What is handed in, as data, with the submission's hash as in results.json."""
    return {
        "schema": SCHEMA_VERSION,
        "course": {"name": "tilewise", "version": __version__},
        "hash": given.hash,
        "files": [
            {"name": name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()} for name, data in given.files
        ],
        "untouched": [v.name for v in verdicts if v.status == "not_attempted" and not v.note],
        "public_checks": [
            {
                "exercise": v.name,
                "status": v.status,
                "points": v.points,
                "max_points": v.max_points,
                "note": v.note if v.status == "not_attempted" else on_missing(v),
            }
            for v in verdicts
            if v.status != "not_attempted" or v.note
        ],
    }


def outlook(manifest: dict[str, Any]) -> str:
    """What the public checks say of the grade to come, in one sentence."""
    passed = sum(entry["status"] == "pass" for entry in manifest["public_checks"])
    answered = len(manifest["public_checks"])
    if not answered:
        return "No exercise is attempted yet; the official grade of this zip would be 0."
    if passed == answered and manifest["untouched"]:
        n = len(manifest["untouched"])
        left = f"{n} exercise{'s' * (n > 1)} of these files {'are' if n > 1 else 'is'} untouched and would earn 0"
        return f"All answers pass the public checks; {left}. The official grade uses other inputs."
    if passed == answered:
        return "All public checks passed; the official grade uses other inputs."
    return f"{passed} of {answered} answers pass the public checks; the official grade uses other inputs."


def remarks(paths: Sequence[Path], manifest: dict[str, Any]) -> list[str]:
    """A sentence on each thing that could not be used of the files, and on each answer in the learner's own notebooks
    that is not right, or still the starter, while another, kept one has passed.

    They are no part of the manifest: that says what the files say, wherever they are packed.
    """
    submission = read_files(paths)[1]
    if not all(map(progress.counts, paths)):
        return _unused(submission)
    answers = submission.answers
    checked = {entry["exercise"]: entry["status"] for entry in manifest["public_checks"]}
    kept = {name: starters.passed(name) for name, status in checked.items() if status not in ("pass", "infra")}
    others = [name for name, text in kept.items() if text and text.strip() != answers[name].source.strip()]
    in_notebooks = [name for name in others if kind_of(answers[name].file) == ".ipynb"]
    return [*_unused(submission), *map(UNSAVED.format, in_notebooks), *_kept_apart(paths, manifest["untouched"])]


def zip_bytes(files: Sequence[tuple[str, bytes]]) -> bytes:
    """A zip archive in order of name. Stored, not deflated: compressed bytes differ between versions of zlib."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in sorted(files):
            info = zipfile.ZipInfo(name, LONG_AGO)
            info.create_system, info.external_attr = 3, 0o644 << 16
            archive.writestr(info, data)
    return buffer.getvalue()
