"""What Triton's compiler and NVIDIA's assembler say of an exercise's kernels, on a machine without a GPU.

A kernel that only the interpreter accepts is not yet one for a GPU, and one that spills is slow there. The compiler
runs in a process of its own: a lasting one for checks in a notebook, a sandboxed child for a grade.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from ..processes.wall import around
from ..runner.failure import Failure, Kind
from ..runner.translate import Translated

SECONDS_TO_ASSEMBLE = 60  # all kernels of an answer together, by the clock
SECONDS_OF_PROCESSOR = 30  # on all of them, and for Triton's compiler: the slowest right answer takes a few
# A shell that says at the end what its children took of a processor.
LIMITED = 'ulimit -S -t {}; "$@"; code=$?; times >&2; exit $code'
TIMES = re.compile(r"^\d+m[\d.]+s \d+m[\d.]+s\n(\d+)m([\d.]+)s (\d+)m([\d.]+)s\n?\Z", re.M)


def too_much(compiler: str) -> str:
    """What is said of a kernel on which a processor has worked for as long as it may."""
    return (
        f"the kernels keep {compiler} busy for more than {SECONDS_OF_PROCESSOR} s: "
        "do they unroll a loop without end, or multiply far larger tiles than they need?"
    )


class Unfinished(Exception):
    """A compiler did not finish, and it is not known whether the machine is too busy or the kernel too much for it."""

    def __init__(self, compiler: str, seconds: float):
        super().__init__(
            f"{compiler} did not finish within {seconds} s: this machine is too busy for it, or the kernel is too "
            "much for it (does it unroll a loop without end?)"
        )


@dataclass(frozen=True)
class Compiled:
    """One kernel for one target: registers per thread, bytes spilled and of shared memory, how often its text asks for
    each operation; or why it is refused.
    """

    kernel: str
    target: str
    registers: int = 0
    spilled: int = 0
    shared: int = 0
    failure: Failure | None = None
    operations: Counter[str] = field(default_factory=Counter, compare=False)

    def as_data(self) -> dict[str, str | int]:
        """For results.json."""
        return {
            "kernel": self.kernel,
            "target": self.target,
            "registers": self.registers,
            "spilled_bytes": self.spilled,
            "shared_bytes": self.shared,
        }


def assembled_all(kernels: Iterable[Translated], level: str | None = None) -> list[Compiled]:
    """The kernels after NVIDIA's assembler. level: the sandbox's, for PTX that may be hostile.

    Raises Unfinished if the time for all of them runs out before the last.
    """
    deadline, found, worked = time.monotonic() + SECONDS_TO_ASSEMBLE, [], 0.0
    for kernel in kernels:
        if time.monotonic() > deadline:
            raise Unfinished("ptxas", SECONDS_TO_ASSEMBLE)
        compiled, seconds = assembled(kernel, level, max(0, SECONDS_OF_PROCESSOR - int(worked)))
        found.append(compiled)
        worked += seconds
    return found


def assembled(kernel: Translated, level: str | None, limit: int) -> tuple[Compiled, float]:
    """The kernel after NVIDIA's assembler, and how long a processor worked on it, which is to be no more than `limit`
    seconds. Raises Unfinished.
    """
    if kernel.failure:
        return Compiled(kernel.kernel, kernel.target, failure=kernel.failure), 0
    code, said, seconds = _assemble(kernel.ptx, kernel.target, level, limit)
    return _read(kernel, code, said), seconds


def _read(kernel: Translated, code: int, said: str) -> Compiled:
    if code:
        reason = next((line for line in said.splitlines() if "error" in line or "fatal" in line), said[-200:])
        return Compiled(kernel.kernel, kernel.target, failure=Failure(Kind.REFUSED_BY_ASSEMBLER, reason.strip()[:300]))
    used = re.search(r"Used (\d+) registers", said)
    spilled = re.search(r"(\d+) bytes spill stores", said)
    registers, bytes_spilled = (int(found[1]) if found else 0 for found in (used, spilled))
    return Compiled(kernel.kernel, kernel.target, registers, bytes_spilled, kernel.shared, operations=kernel.operations)


@lru_cache(maxsize=512)
def _assemble(ptx: str, target: str, level: str | None, limit: int) -> tuple[int, str, float]:
    """The assembler's exit status, what it says, and the seconds of a processor that it took."""
    import triton

    ptxas = str(Path(triton.__file__).parent / "backends" / "nvidia" / "bin" / "ptxas")
    architecture = re.search(r"^\.target (sm_\w+)", ptx, re.M)
    with tempfile.TemporaryDirectory(prefix="tilewise-") as folder:
        os.chmod(folder, 0o777)  # behind the wall another user writes here
        source = Path(folder, "kernel.ptx")
        source.write_bytes(ptx.encode())
        command = [ptxas, "-v", f"--gpu-name={architecture[1] if architecture else target}", str(source)]
        command += ["-o", str(Path(folder, "kernel.cubin"))]
        wall = around(ptxas, folder, level) if level else []
        limited = [*wall, "/bin/sh", "-c", LIMITED.format(limit), "sh", *command]
        try:
            done = subprocess.run(
                limited, capture_output=True, text=True, errors="replace", timeout=SECONDS_TO_ASSEMBLE
            )
        except subprocess.TimeoutExpired:
            raise Unfinished("ptxas", SECONDS_TO_ASSEMBLE) from None
    complaints, worked = _timed(done.stderr, limit)
    if done.returncode in (-signal.SIGXCPU, 128 + signal.SIGXCPU):
        return done.returncode, too_much("NVIDIA's assembler"), worked
    return done.returncode, (done.stdout + complaints).replace(f"{folder}/", ""), worked


def _timed(said: str, limit: int) -> tuple[str, float]:
    """What was said before the shell's times, and the seconds of a processor that they come to: `limit` where there are
    none, as the shell itself was ended.
    """
    times = TIMES.search(said)
    if times is None:
        return said, limit
    minutes, seconds, minutes_of_system, seconds_of_system = map(float, times.groups())
    return said[: times.start()], 60 * (minutes + minutes_of_system) + seconds + seconds_of_system
