"""What can go wrong with a kernel, in the learner's own lines."""

from __future__ import annotations

import re
from enum import StrEnum

from .source import Source, code_of


class Fault(StrEnum):
    """What a kernel can do that no kernel may. The runtime is compiled with the same names, in the same order."""

    OUT_OF_BOUNDS = "OutOfBounds"
    MISALIGNED = "Misaligned"
    UNINITIALISED = "Uninitialised"
    LOCAL_MEMORY = "LocalMemory"
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
        """The first error in the log of g++, clang or NVRTC, in the kernel's own lines."""
        odd = _odd_bracket(source.text)
        if odd and "unterminated" not in log:
            return cls._of(source, *odd)
        own = rf"{re.escape(source.name)}\.cu[:(](\d+)"
        place = rf"{own}(?:[:)]\d*)?:? *(?:fatal )?(?:catastrophic )?error *:? *(.+)"
        lines = source.text.splitlines()
        found = next((f for f in re.finditer(place, log) if int(f[1]) <= len(lines)), None)
        if found:
            return cls._of(source, int(found[1]), _named(found[2]))
        told = re.search(r"\berror *:? *(.+)", log)  # elsewhere: in what the kernel uses, or in its launch
        said = told[1] if told else log.strip()
        about = [int(line) for line in re.findall(rf"{own}:\d+: +(?:note|required from|in)\b", log)]
        line = next((n for n in about if n <= len(lines)), 0)
        if line:
            return cls._of(source, line, said)
        if re.search(r"^launch:\d", log, re.M):
            said = (
                f'cannot be launched: it has to be extern "C" __global__ void {source.name}(...), outside of all else'
            )
            return cls.at_name(source, source.name, said)
        return cls(source.name, said.strip()[:300])

    @classmethod
    def at_name(cls, source: Source, name: str, said: str) -> CompileError:
        """At the first line that uses the name."""
        code = code_of(source.text).split("\n")
        uses = (number for number, line in enumerate(code, 1) if re.search(rf"\b{re.escape(name)}\b", line))
        return cls._of(source, next(uses, 0), said)

    @classmethod
    def _of(cls, source: Source, line: int, said: str) -> CompileError:
        text = source.text.splitlines()[line - 1].strip() if line else ""
        return cls(source.name, said.strip()[:300], line, text)


class CompilerTooSlow(CompileError):
    """The compiler did not finish, though it had not used up its time on a processor: this machine is too busy."""


# What only CUDA's own functions and types are called, so that a name like this was not misspelt by chance.
_OF_CUDA = (
    r"__\w+|atomic[A-Z]\w*|make_\w+\d|(?:nv_)?(?:half|bfloat)\w*|h2?(?:exp|log|sin|cos|r?sqrt|rcp)\w*|clock(?:64)?"
)
_OF_CUDA += r"|cooperative_groups|nvcuda|wmma"


def _named(said: str) -> str:
    """The compiler's words, or those that say more to a learner."""
    return _missing_here(said) or _begun(said) or _variable_length(said) or said


def _missing_here(said: str) -> str:
    """Of an undeclared name that is CUDA's: that it is this runner which lacks it; "" of any other error."""
    told = r"'({})' (?:was not declared|does not name a type|has not been declared)|(?:identifier|type name) '({})'"
    found = re.search(told.format(_OF_CUDA, _OF_CUDA), said)
    if not found:
        return ""
    meant = re.search(r"did you mean '([^']+)'", said)
    return f"the CPU runner lacks {found[1] or found[2]}" + (f"; did you mean {meant[1]}?" if meant else "")


GIVEN_A_VALUE = "gives {} a value where it is declared; shared memory has none until a thread writes one"

OF_THE_GRID = (
    "has one {} for all blocks of the grid; declare a block's own __shared__, and a thread's own without static"
)


def _begun(said: str) -> str:
    """Of shared memory that begins with a value that is not constant; "" of any other error."""
    found = re.search(r"'constinit' variable '(\w+)' does not have a constant initializer", said)
    return GIVEN_A_VALUE.format(found[1]) if found else ""


def _variable_length(said: str) -> str:
    """Of an array whose length is no constant; "" of any other error."""
    if not re.search(r"variable.length array", said):
        return ""
    name = re.search(r"'(\w+)'", said)
    return (
        f"the length of {name[1] if name else 'this array'} is no constant: an array of a thread's own lies in "
        "registers, or on its small stack, and its length has to be known when it is compiled"
    )


_CLOSES = {"}": "{", ")": "(", "]": "["}


def _odd_bracket(text: str) -> tuple[int, str] | None:
    """The line of the first bracket without a partner; None where all have one, or where #if may leave some out."""
    if re.search(r"^\s*#\s*(?:if|else|elif)", text, re.M):
        return None
    open_: list[tuple[str, int, int]] = []  # bracket, line, and how far that line is indented
    suspect = None
    for number, line in enumerate(code_of(text).split("\n"), 1):
        if re.match(r"\s*#", line):
            continue
        indent = len(line) - len(line.lstrip())
        for bracket in re.findall(r"[][(){}]", line):
            if bracket not in _CLOSES:
                open_.append((bracket, number, indent))
                continue
            if not open_ or open_[-1][0] != _CLOSES[bracket]:
                if not open_:
                    return number, f"this {bracket} closes nothing"
                return open_[-1][1], f"this {open_[-1][0]} is never closed"
            _, begun, before = open_.pop()
            if bracket == "}" and indent < before and line.strip()[0] == "}" and not suspect:
                suspect = begun  # what stands further left closes what stood further left
    return (suspect or open_[-1][1], f"this {open_[-1][0]} is never closed") if open_ else None


class MissingCompiler(RuntimeError):
    """There is neither g++ nor clang++, or it does not start."""


class KernelFault(RuntimeError):
    """A kernel did what no kernel may do: `kind`, at `line` of NAME.cu."""

    def __init__(self, name: str, kind: Fault, message: str, line: int = 0, text: str = ""):
        super().__init__(f"{name}.cu, line {line}: {message}" if line else f"{name}: {message}")
        self.kind, self.message, self.line, self.text = kind, message, line, text


class Interrupted(KeyboardInterrupt):
    """A kernel was stopped by the stop button or Ctrl-C, at `line` (0 if unknown)."""

    def __init__(self, line: int = 0, text: str = ""):
        super().__init__()
        self.line, self.text = line, text


class OutOfTime(Interrupted):
    """A kernel was stopped by an alarm (SIGALRM)."""

    kind = "Timeout"
