"""Submissions read by a process that has limits, so that a hostile file fells that process and not the class.

It also parses and screens every answer once, as the grader does again when it grades: what that takes is known by then.
"""

from __future__ import annotations

import atexit
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from ...judging.limits.operations import asked_of_source
from ...processes.child_link import serving
from ...runner import child, protocol
from ...runner.wall import confine
from ...spec.catalogue import exercises
from ...spec.user_error import UserError
from .files import Files, entries_in, files_of, kind_of, one_line, plain_name
from .submission import Answer, Submission, read_answers
from .surroundings import texts_for
from .suspicion import reached_by, without_idle_lines

SECONDS = 60  # for one submission, of which an honest one takes less than one
START = 120  # until the process is ready
MEMORY = 1 << 30  # bytes, besides what the process holds when it is ready
SERVE = (
    "import os, socket, sys; sys.path[:] = sys.argv[1:]; from autograder.grading.reading import limited; "
    "limited.serve(socket.socket(fileno=os.dup(0)))"
)


def read_submissions(path: Path, tell: Callable[[int, int], None] = lambda done, of: None) -> list[Submission]:
    """The submissions under `path`, sorted by student. Raises SubmissionError if there is nothing to grade.

    tell: is called with how many are read, and of how many, before each of them and at the end.
    """
    found: list[Submission] = []
    entries = entries_in(path)
    for entry, student in entries:
        tell(len(found), len(entries))
        submission = reader().read(entry, student)
        if student != plain_name(entry):
            said = f"this is {one_line(entry.name)}; another entry is called {plain_name(entry)} too"
            submission = replace(submission, notes=(*submission.notes, said))
        found.append(submission)
    tell(len(found), len(entries))
    return found


@cache
def reader() -> Reader:
    """That of this process, with which it ends."""
    made = Reader()
    atexit.register(made.stop)
    return made


class Reader:
    """Reads one submission after the other. Its process is started when it is first needed, and anew if it dies."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.socket: socket.socket | None = None

    def read(self, entry: Path, student: str, lesson: str = "") -> Submission:
        """What a student's file, zip or folder holds; what cannot be read becomes a note.

        lesson: of the notebooks only the one with this stem is read. Raises UserError if the process does not start.
        """
        for _ in range(2):  # once it may have been killed for what others do
            sock = self.socket or self._start()
            try:
                protocol.send(sock, {"entry": str(entry.absolute()), "student": student, "lesson": lesson})
                return _received(*protocol.receive(sock, deadline=time.monotonic() + SECONDS))
            except BaseException as error:
                self.stop()  # its late answer would be taken for that to the next request
                if isinstance(error, TimeoutError):
                    return unreadable(entry, student, f"that takes longer than {SECONDS} seconds")
                if isinstance(error, protocol.ProtocolError):
                    return unreadable(entry, student, "it has too many notes, or names that are too long")
                if not isinstance(error, EOFError | ConnectionError):
                    raise
        return unreadable(entry, student, "the process that was to read it died of it, twice")

    def _start(self) -> socket.socket:
        self.process, self.socket = serving(SERVE, CUDA_VISIBLE_DEVICES="")
        try:
            protocol.receive(self.socket, deadline=time.monotonic() + START)
        except (TimeoutError, EOFError, protocol.ProtocolError):
            self.stop()
            raise UserError(
                "the process that reads submissions does not start; see `tilewise doctor`, or install the course anew"
            ) from None
        return self.socket

    def stop(self) -> None:
        if self.process is not None and self.socket is not None:
            self.socket.close()
            self.process.kill()
            self.process.wait()
        self.process = self.socket = None


def unreadable(entry: Path, student: str, reason: str) -> Submission:
    return read_answers(Files(student, (), (f"{one_line(entry.name)} could not be read: {reason}",)))


def serve(sock: socket.socket) -> None:
    """Read what is asked for until the other end is closed."""
    child.end_with(sock)
    exercises()
    confine.limit(MEMORY, cpu_seconds=1 << 30, file_size=0)
    protocol.send(sock, {"ready": True})
    while True:
        try:
            request, _ = protocol.receive(sock)
        except EOFError:
            return
        entry, student, lesson = Path(request["entry"]), request["student"], request["lesson"]
        try:
            submission = rehearsed(read_answers(_of_lesson(files_of(entry, student), lesson)))
        except MemoryError:
            submission = unreadable(entry, student, f"that takes more than {MEMORY >> 30} GB of memory")
        _send(sock, submission)


def _of_lesson(given: Files, lesson: str) -> Files:
    kept = (f for f in given.files if not lesson or f[0] == f"{lesson}.ipynb" or kind_of(f[0]) != ".ipynb")
    return replace(given, files=tuple(kept))


def rehearsed(submission: Submission) -> Submission:
    """The submission, of which each answer has been looked at in every way in which the grader will, without the lines
    that are idle and would be suspected or refused.
    """
    if _is_suspected(submission):
        submission = without_idle_lines(submission)
        _is_suspected(submission)
    return submission


def _is_suspected(submission: Submission) -> bool:
    found = list[Any]()
    for name, answer in submission.answers.items():
        exercise = exercises()[name]
        found.append(asked_of_source(exercise, answer.source))
        found.append(reached_by(exercise, texts_for(exercise, submission.answers)))
    return any(found)


def _send(sock: socket.socket, submission: Submission) -> None:
    sources = list(dict.fromkeys(answer.source for answer in submission.answers.values()))
    answers = {name: [sources.index(a.source), a.file] for name, a in submission.answers.items()}
    header = vars(submission) | {"answers": answers}
    protocol.send(sock, header, [source.encode(errors="surrogatepass") for source in sources])


def _received(header: dict[str, Any], blobs: Sequence[bytes]) -> Submission:
    sources = [blob.decode(errors="surrogatepass") for blob in blobs]
    answers = {name: Answer(sources[i], file) for name, (i, file) in header["answers"].items()}
    student, hash_ = header["student"], header["hash"]
    files, untouched, notes = (tuple(header[key]) for key in ("files", "untouched", "notes"))
    return Submission(student, hash_, files, answers, untouched, notes, header["unread"])
