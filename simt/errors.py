"""What can go wrong with a kernel, in the learner's own lines."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .source import Source


class Fault(StrEnum):
    """What a kernel can do that no kernel may. The runtime is compiled with the same names, in the same order."""

    OUT_OF_BOUNDS = "OutOfBounds"
    UNINITIALISED = "Uninitialised"
    RACE = "Race"
    DIVERGENT_BARRIER = "DivergentBarrier"
    DIVERGENT_WARP = "DivergentWarp"
    CRASH = "Crash"
    LAUNCH_ERROR = "LaunchError"


COMPILE_ERROR = "CompileError"


class CompileError(Exception):
    """The kernel does not compile. `line` (from 1, 0 if unknown) and `text` say where in NAME.cu."""

    def __init__(self, name: str, message: str, line: int = 0, text: str = ""):
        super().__init__(f"{name}.cu, line {line}: {message}" if line else f"{name}.cu: {message}")
        self.kind, self.message, self.line, self.text = COMPILE_ERROR, message, line, text

    @classmethod
    def from_log(cls, source: Source, log: str) -> CompileError:
        """The first error in the log of g++, clang or NVRTC that lies in the kernel's own file."""
        place = rf"{re.escape(source.name)}\.cu[:(](\d+)(?:[:)]\d*)?:? *(?:fatal )?(?:catastrophic )?error *:? *(.+)"
        found = re.search(place, log)
        if found is None:
            said = next((line for line in log.splitlines() if "error" in line), log.strip()[:300])
            return cls(source.name, said.strip()[:300])
        lines = source.text.splitlines()
        line = int(found[1])
        return cls(source.name, found[2].strip()[:300], line, lines[line - 1].strip() if line <= len(lines) else "")


class MissingCompiler(RuntimeError):
    """There is neither g++ nor clang++."""


class KernelFault(RuntimeError):
    """A kernel did what no kernel may do: `kind`, at `line` of NAME.cu."""

    def __init__(self, name: str, kind: Fault, message: str, line: int = 0, text: str = ""):
        super().__init__(f"{name}.cu, line {line}: {message}" if line else f"{name}: {message}")
        self.kind, self.message, self.line, self.text = kind, message, line, text
