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
SECONDS_OF_PROCESSOR = 30  # for each kernel, and for Triton's compiler: the slowest right answer takes a few


def too_much(compiler: str) -> str:
    """What is said of a kernel on which a processor has worked for as long as it may."""
    return (
        f"the kernel keeps {compiler} busy for more than {SECONDS_OF_PROCESSOR} s: "
        "does it unroll a loop without end, or multiply far larger tiles than it needs?"
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
    """The kernels after NVIDIA's assembler. Raises Unfinished if the time for all of them runs out before the last."""
    deadline = time.monotonic() + SECONDS_TO_ASSEMBLE
    found = []
    for kernel in kernels:
        if time.monotonic() > deadline:
            raise Unfinished("ptxas", SECONDS_TO_ASSEMBLE)
        found.append(assembled(kernel, level))
    return found


def assembled(kernel: Translated, level: str | None = None) -> Compiled:
    """The kernel after NVIDIA's assembler. level: the sandbox's, for PTX that may be hostile. Raises Unfinished."""
    if kernel.failure:
        return Compiled(kernel.kernel, kernel.target, failure=kernel.failure)
    code, said = _assemble(kernel.ptx, kernel.target, level)
    if code:
        reason = next((line for line in said.splitlines() if "error" in line or "fatal" in line), said[-200:])
        return Compiled(kernel.kernel, kernel.target, failure=Failure(Kind.REFUSED_BY_ASSEMBLER, reason.strip()[:300]))
    used = re.search(r"Used (\d+) registers", said)
    spilled = re.search(r"(\d+) bytes spill stores", said)
    registers, bytes_spilled = (int(found[1]) if found else 0 for found in (used, spilled))
    return Compiled(kernel.kernel, kernel.target, registers, bytes_spilled, kernel.shared, operations=kernel.operations)


@lru_cache(maxsize=512)
def _assemble(ptx: str, target: str, level: str | None) -> tuple[int, str]:
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
        limited = [*wall, "/bin/sh", "-c", f'ulimit -S -t {SECONDS_OF_PROCESSOR}; exec "$@"', "sh", *command]
        try:
            done = subprocess.run(
                limited, capture_output=True, text=True, errors="replace", timeout=SECONDS_TO_ASSEMBLE
            )
        except subprocess.TimeoutExpired:
            raise Unfinished("ptxas", SECONDS_TO_ASSEMBLE) from None
    if done.returncode in (-signal.SIGXCPU, 128 + signal.SIGXCPU):  # the latter from behind a wall
        return done.returncode, too_much("NVIDIA's assembler")
    return done.returncode, (done.stdout + done.stderr).replace(f"{folder}/", "")
