"""Ranks that take turns, and the messages between them, with a clock for each rank.

A clock counts what a rank has done in multiplications with addition, and a message takes `BYTE` of these for each of
its bytes, one after another on the links out of a rank and into one. It starts when both ends have asked for it. So
waiting costs time and computing meanwhile does not, and when the last rank is done is the same on every machine.
"""

from __future__ import annotations

import ctypes
import math
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from types import FrameType
from typing import Any

from ..failure import Kind
from ..meters.words import counted
from ..tensors import read
from ..tensors.unseen import unseen

BYTE = 2  # multiplications with addition that a rank could do while a byte arrives
MOST_POLLS = 2000
MOST_MESSAGES = 1000  # on their way at once
END = 1.0  # seconds in which a rank's thread ends once the run is over
STACK = 4 << 20  # bytes of a thread's stack, which counts as memory behind the wall


class RankFault(Exception):
    """What the ranks did wrong together, at a line of the learner's."""

    def __init__(self, kind: Kind, message: str, line: int = 0):
        super().__init__(message)
        self.kind, self.line, self.text = kind, line, ""


class Interrupted(KeyboardInterrupt):
    """The learner's stop, with the line at which a rank was: the thread that is stopped is none of the ranks'."""

    def __init__(self, line: int):
        super().__init__()
        self.kind, self.line, self.text = Kind.INTERRUPTED, line, ""


class Stopped(BaseException):
    """Ends a rank's thread once the run is over; not an Exception, so that no answer swallows it by accident."""


@dataclass(eq=False)
class Message:
    """Bytes on their way. One end may have been asked for and not yet the other.

    sent, received: the tensors at both ends. copy: the numbers when they were sent. asked: by rank, its line and the
    time on its clock. waits: ranks that still have to wait for it. round: see `Round`.
    """

    source: int
    target: int
    tag: int
    sent: Any = None
    received: Any = None
    copy: Any = None
    lines: dict[int, int] = field(default_factory=dict)
    asked: dict[int, int] = field(default_factory=dict)
    waits: set[int] = field(default_factory=set)
    arrives: int | None = None  # on the clock, once both ends have asked for it
    round: int = 0


@dataclass
class Span:
    """What a rank did from one time to another: "compute", "wait", or "receive" from a rank."""

    rank: int
    kind: str
    start: int
    end: int
    source: int = -1


@dataclass
class Round:
    """What each rank sent in one round, by rank.

    Rounds are the steps that have to follow each other: a message belongs to the first one behind all those whose
    messages one of its ends had waited for when it asked for this one. A collective takes as many as a ring does.
    """

    sent_bytes: list[int]
    messages: list[int]


@dataclass(eq=False)
class Rank:
    """One rank: its clock, what it has sent, and what it waits for (in words, and when it may go on)."""

    number: int
    clock: int = 0
    waited: int = 0  # of it, for messages and for other ranks
    work: int = 0
    work_since: int = 0  # since it last waited for a message
    most_at_once: int = 0  # of that
    sent_bytes: int = 0
    received_bytes: int = 0
    messages: int = 0
    compared: int = 0  # numbers that it brought to a maximum or a minimum over all ranks
    round: int = 0  # that of what it sends next
    line: int = 0
    waits_for: str = ""  # {} stands for the other rank
    other: Callable[[], int] = lambda: 0  # the rank that it waits for
    ready: Callable[[], bool] | None = None
    ended: bool = False
    result: Any = None
    error: BaseException | None = None
    go: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    gone: threading.Event = field(default_factory=threading.Event)  # Python 3.11 takes an interrupted join for an end


class World:
    """W ranks. `run` calls a function on each; the other methods are for the rank that has the baton."""

    def __init__(self, size: int, line: Callable[[FrameType | None], int]):
        """line: the learner's line that is being run, by this thread or in a frame of another."""
        self.ranks = [Rank(number) for number in range(size)]
        self._line = line
        self.spans: list[Span] = []
        self.fault: RankFault | None = None
        self.messages: list[Message] = []  # that an end has not waited for
        self.rounds: list[Round] = []
        self.sent_by_line: Counter[int] = Counter()
        self.waited_by_line: Counter[int] = Counter()
        self.together: list[tuple[int, str, Any]] = []  # who has come to the next collective, and what for
        self._over = False
        self._polls = 0  # since a message was last asked for
        self._done = threading.Event()
        self._baton: tuple[Rank, float] = self.ranks[0], math.inf  # who has it, and since when
        self._out, self._in = [0] * size, [0] * size  # when a rank's links are free
        self._turns = random.Random(size)
        self._current = threading.local()

    @property
    def current(self) -> Rank | None:
        """The rank whose thread this is; None on any other."""
        return getattr(self._current, "rank", None)

    def line(self) -> int:
        """The learner's line that is being run."""
        return self._line(None)

    def run(self, function: Callable[[int], Any], patience: float = math.inf) -> None:
        """Call function(rank) on all ranks; results and errors are the ranks'. Raises Interrupted only.

        patience: seconds that a rank may go on without a wait or an end.
        """
        others = set(threading.enumerate())
        before = threading.stack_size(STACK)
        try:
            threads = [threading.Thread(target=self._begin, args=(rank, function), daemon=True) for rank in self.ranks]
            for thread in threads:
                thread.start()
        finally:
            threading.stack_size(before)
        steps: list[Callable[[], None]] = [partial(self._watch, threads, patience), self._stop]
        steps += [partial(_end, *each) for each in zip(self.ranks, threads, strict=True)]
        steps += [partial(self._note_endless, *each) for each in zip(self.ranks, threads, strict=True)]
        stopped: BaseException | None = None
        for step in steps:  # all of them, whenever the learner or the clock of the call puts an end to it
            try:
                step()
            except KeyboardInterrupt:
                stopped = stopped or Interrupted(self._busy_line(threads))
            except BaseException as error:
                stopped = stopped or error
        if stopped:
            raise stopped
        if patience < math.inf and set(threading.enumerate()) - others - {*threads}:
            self.fault = RankFault(Kind.TIMEOUT, "a thread that the answer started goes on after the ranks have ended")

    def _watch(self, threads: list[threading.Thread], patience: float) -> None:
        """Until the run is over, or a rank has the baton for longer than that."""
        self._next()
        while not self._done.wait(min(patience / 4, 60)):
            rank, since = self._baton
            if time.monotonic() - since > patience:
                self.fault = self._endless(rank, threads[rank.number])
                break

    def _note_endless(self, rank: Rank, thread: threading.Thread) -> None:
        if rank.gone.wait(END):
            thread.join()
        else:  # it would take its time from what is called next
            self.fault = self._endless(rank, thread)

    def _busy_line(self, threads: list[threading.Thread]) -> int:
        """Where the rank that has the baton is, or another one that has not ended."""
        last, _ = self._baton
        rank = next((each for each in (last, *self.ranks) if not each.ended), last)
        return self._line_of(threads[rank.number])

    def _line_of(self, thread: threading.Thread) -> int:
        frame = sys._current_frames().get(thread.ident or 0)
        return self._line(frame) if frame else 0

    def _endless(self, rank: Rank, thread: threading.Thread) -> RankFault:
        line = self._line_of(thread)
        return RankFault(Kind.TIMEOUT, f"rank {rank.number} goes on and on in line {line}", line)

    def _begin(self, rank: Rank, function: Callable[[int], Any]) -> None:
        self._current.rank = rank
        rank.go.acquire()
        try:
            if not self._over:
                rank.result = function(rank.number)
        except Stopped:
            pass
        except BaseException as error:
            rank.error = error
            self._stop()
        rank.ended = True
        rank.gone.set()
        if not self._over:
            self._next()

    def _next(self) -> None:
        """Give the baton to a rank that can go on; where none can, the run is over."""
        able = [rank for rank in self.ranks if not rank.ended and (rank.ready is None or rank.ready())]
        if able:
            rank = self._turns.choice(able)
            self._baton = rank, time.monotonic()
            rank.go.release()
            return
        if any(not rank.ended for rank in self.ranks):
            self.fault = self._deadlock()
        self._stop()

    def _stop(self) -> None:
        self._over = True
        self._done.set()
        for rank in self.ranks:
            rank.go.release()

    def yield_until(self, ready: Callable[[], bool], waits_for: str, other: Callable[[], int]) -> None:
        """Let other ranks run, at least once, until `ready()`; otherwise the rank waits for another, as said."""
        rank = self._rank()
        rank.ready, rank.waits_for, rank.other, rank.line = ready, waits_for, other, self.line()
        self._next()
        rank.go.acquire()
        rank.ready = None
        if self._over:
            raise Stopped

    def _rank(self) -> Rank:
        if self._over:
            raise Stopped
        rank = self.current
        assert rank is not None
        return rank

    def _deadlock(self) -> RankFault:
        """Who waits for whom: first a rank that waits for one that has ended, else one of those in a circle."""
        stuck = [rank for rank in self.ranks if not rank.ended]
        rank = next((r for r in stuck if self.ranks[r.other()].ended), stuck[0])
        other = self.ranks[rank.other()]
        said = f"rank {rank.number} waits in line {rank.line} {rank.waits_for.format(other.number)}"
        if other.ended:
            said += ", which has ended"
        else:
            said += f", which itself waits in line {other.line} {other.waits_for.format(other.other())}"
        return RankFault(Kind.DEADLOCK, said, rank.line)

    # Work and messages.

    def compares(self, numbers: int) -> None:
        """The current rank brings so many to a maximum or a minimum over all ranks."""
        self._rank().compared += numbers

    def computed(self, work: int) -> None:
        """The current rank has done so many multiplications."""
        rank = self._rank()
        spans = self.spans
        if spans and spans[-1].rank == rank.number and spans[-1].kind == "compute" and spans[-1].end == rank.clock:
            spans[-1].end += work
        else:
            spans.append(Span(rank.number, "compute", rank.clock, rank.clock + work))
        rank.clock += work
        rank.work += work
        rank.work_since += work
        rank.most_at_once = max(rank.most_at_once, rank.work_since)

    def send(self, tensor: Any, target: int | None, tag: int) -> Message:
        """Ask for a tensor to be sent; the rank has to wait for it before it may write there again."""
        rank = self._rank()
        target = self._peer(target)
        message = self._posted(rank.number, target, tag)
        message.sent, message.copy = tensor, copy_of(tensor)
        self._sends(rank, read.bytes_in(message.copy))
        self._match(message)
        return message

    def receive(self, tensor: Any, source: int | None, tag: int) -> Message:
        """Ask for a message to be received into the tensor, which holds it once the rank has waited for it."""
        rank = self._rank()
        source = self._peer(source)
        for other in self.messages:
            is_sent = other.source == rank.number and rank.number in other.waits and other.sent is not None
            if is_sent and overlap(bytes_of(other.sent), bytes_of(tensor)):
                said = (
                    f"rank {rank.number} receives into what it is still sending since line {other.lines[rank.number]}"
                )
                raise RankFault(Kind.OVERWRITTEN, said, self.line())
        message = self._posted(source, rank.number, tag)
        message.received = tensor
        self._match(message)
        return message

    def _sends(self, rank: Rank, size: int) -> None:
        rank.sent_bytes += size
        rank.messages += 1
        self.sent_by_line[self.line()] += size

    def _in_round(self, number: int, rank: int, size: int) -> None:
        """Write down a message of so many bytes that a rank sends in a round."""
        while len(self.rounds) <= number:
            self.rounds.append(Round([0] * len(self.ranks), [0] * len(self.ranks)))
        self.rounds[number].sent_bytes[rank] += size
        self.rounds[number].messages[rank] += 1

    def _peer(self, peer: Any) -> int:
        """The other end of a message. Raises ValueError if there is no such rank, RankFault if it is this one."""
        me, size = self._rank().number, len(self.ranks)
        if type(peer) is not int or not 0 <= peer < size:
            raise ValueError(f"there is no rank {peer!r}: ranks are numbered from 0 to {size - 1}")
        if peer == me:
            said = f"rank {me} is to send to itself or to receive from itself, which no backend does"
            raise RankFault(Kind.REFUSED, said, self.line())
        return peer

    def _posted(self, source: int, target: int, tag: int) -> Message:
        """The first message of these ranks for which this one has not asked, or a new one."""
        rank = self._rank()
        self._polls = 0
        for message in self.messages:
            same = (message.source, message.target, message.tag) == (source, target, tag)
            if same and rank.number not in message.asked:
                break
        else:
            if len(self.messages) >= MOST_MESSAGES:
                line = self.line()
                said = f"rank {rank.number} asks in line {line} for more than {MOST_MESSAGES:,} messages without a wait"
                raise RankFault(Kind.UNFINISHED, said, line)
            message = Message(source, target, tag, waits={source, target})
            self.messages.append(message)
        message.lines[rank.number], message.asked[rank.number] = self.line(), rank.clock
        message.round = max(message.round, rank.round)
        return message

    def _match(self, message: Message) -> None:
        """Once both ends are there the message starts, when the links are free."""
        if message.sent is None or message.received is None:
            return
        source, target = message.source, message.target
        if _described(message.sent) != _described(message.received):
            said = (
                f"rank {source} sends {_described(message.sent)} in line {message.lines[source]}, and rank {target} "
                f"receives {_described(message.received)} in line {message.lines[target]}"
            )
            raise RankFault(Kind.MISMATCH, said, message.lines[target])
        start = max(*message.asked.values(), self._out[source], self._in[target])
        message.arrives = self._out[source] = self._in[target] = start + BYTE * read.bytes_in(message.copy)
        self.spans.append(Span(target, "receive", start, message.arrives, source))
        self._in_round(message.round, source, read.bytes_in(message.copy))

    def wait(self, message: Message) -> None:
        """Wait for a message that the current rank sends or receives; what is received stands there then."""
        rank = self._rank()
        if rank.number not in message.waits:
            return
        receives = message.target == rank.number
        other = message.source if receives else message.target
        if message.arrives is None:
            said = "for a message from rank {}" if receives else "for its message to be received by rank {}"
            self.yield_until(lambda: message.arrives is not None, said, lambda: other)
        assert message.arrives is not None
        self.until(message.arrives)
        message.waits.discard(rank.number)
        rank.round, rank.work_since = max(rank.round, message.round + 1), 0
        if receives:
            rank.received_bytes += read.bytes_in(message.copy)
            fill(message.received, message.copy)
            message.received = None  # whoever keeps the request does not keep the memory
        else:
            message.sent = None
        if not message.waits:
            message.copy = None
            self.messages.remove(message)

    def poll(self, message: Message) -> bool:
        """Whether `wait` would return at once. Others go on meanwhile; whoever asks for ever is told so."""
        self._polls += 1
        if self._polls > MOST_POLLS:
            rank, line = self._rank().number, self.line()
            said = f"rank {rank} asks in line {line} again and again for a message that does not come"
            raise RankFault(Kind.DEADLOCK, said, line)
        self.yield_until(lambda: True, "for rank {}", lambda: message.source)
        return message.arrives is not None

    def until(self, time: int) -> None:
        """The current rank has nothing to do until this time on the clock."""
        rank = self._rank()
        if time > rank.clock:
            self.spans.append(Span(rank.number, "wait", rank.clock, time))
            self.waited_by_line[self.line()] += time - rank.clock
            rank.waited += time - rank.clock
            rank.clock = time

    def unfinished(self) -> RankFault | None:
        """What was left on its way when all ranks had ended."""
        for message in self.messages:
            for rank, other, does, did in (
                (message.source, message.target, "sends", "receives"),
                (message.target, message.source, "receives", "sends"),
            ):
                if rank not in message.lines:
                    continue
                line = message.lines[rank]
                if other not in message.lines:
                    preposition = "to" if does == "sends" else "from"
                    said = (
                        f"rank {rank} {does} {preposition} rank {other} in line {line}, and rank {other} never {did} it"
                    )
                    return RankFault(Kind.UNFINISHED, said, line)
                if rank in message.waits:
                    said = f"rank {rank} never waits for what it {does} in line {line}"
                    return RankFault(Kind.UNFINISHED, said, line)
        return None

    def meet(
        self, what: str, own: Any, combine: Callable[[list[Any]], list[Any]], cost: Callable[[int], int], laps: int = 0
    ) -> Any:
        """A collective: every rank brings something, and when the last has come each gets its part of `combine`.

        cost: bytes that a rank sends, of the number of ranks. laps: how often something goes round the ring for it.
        """
        rank, size = self._rank(), len(self.ranks)
        line = self.line()
        if self.together and self.together[0][1] != what:
            first, other, _ = self.together[0]
            theirs = f"rank {first} {other} in line {self.ranks[first].line}"
            said = f"rank {rank.number} calls {what} in line {line}, and {theirs}"
            raise RankFault(Kind.MISMATCH, said, line)
        self.together.append((rank.number, what, own))
        rank.line = line
        if laps:  # at a barrier nobody brings anything
            self._sends(rank, cost(size))
        rank.received_bytes += cost(size)
        meeting = self.together
        box: list[Any] = self._box(meeting)
        if len(meeting) == size:
            parts = {number: part for number, _, part in meeting}
            box[:] = combine([parts[number] for number in range(size)])
            box.append(max(r.clock for r in self.ranks) + BYTE * cost(size))
            self._go_round(laps * (size - 1), cost(size))
            self.together = []
        else:
            self.yield_until(lambda: bool(box), f"in {what} for rank {{}}", lambda: self._absent(meeting))
        self.until(box[-1])
        return box[rank.number]

    def _go_round(self, rounds: int, size: int) -> None:
        """All ranks send so many bytes in so many rounds, which begin when the last rank has come."""
        first = max(rank.round for rank in self.ranks)
        for rank in self.ranks:
            for i in range(rounds):
                self._in_round(first + i, rank.number, size * (i + 1) // rounds - size * i // rounds)
            rank.round, rank.work_since = first + rounds, 0

    def _absent(self, meeting: list[tuple[int, str, Any]]) -> int:
        """A rank that has not come, one that has ended if there is one."""
        come = {number for number, _, _ in meeting}
        return min((r for r in self.ranks if r.number not in come), key=lambda r: not r.ended).number

    def _box(self, meeting: list[tuple[int, str, Any]]) -> list[Any]:
        """Where the results of a meeting will lie, the same for all who came to it."""
        if len(meeting) == 1:
            self._boxes: list[Any] = []
        return self._boxes


def _end(rank: Rank, thread: threading.Thread) -> None:
    """Let a rank's thread end; one that is in an endless loop is told to."""
    try:
        rank.gone.wait(END)
    finally:
        if not rank.gone.is_set():
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(Stopped))


def overlap(a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Whether two tensors have bytes in common, as far as `bytes_of` tells; the sent ones have no gaps."""
    return max(a[0], b[0]) < min(a[1], b[1])


def bytes_of(tensor: Any) -> tuple[int, int]:
    """The address of a tensor's first byte, and the one behind its last."""
    with unseen():
        if not read.length_of(tensor):
            return 0, 0
        first = read.address_of(tensor)
        if read.is_contiguous(tensor):
            return first, first + read.bytes_in(tensor)
        span = sum((n - 1) * step for n, step in zip(read.size_of(tensor), read.strides_of(tensor), strict=True)) + 1
        return first, first + span * read.itemsize_of(tensor)


def copy_of(tensor: Any) -> Any:
    """What a tensor holds now, in memory of nobody's."""
    with unseen():
        return read.copied(read.detached(tensor))


def fill(tensor: Any, values: Any) -> None:
    """Write into a tensor what has come for it."""
    with unseen():
        read.copy_into(read.detached(tensor), values)


def _described(tensor: Any) -> str:
    with unseen():
        return f"{counted(read.length_of(tensor), 'number')} of {str(read.dtype_of(tensor)).removeprefix('torch.')}"
