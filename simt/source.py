"""Where a kernel's text comes from: NAME.cu in a folder that was added, or what replaces it for a while."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

INCLUDE = Path(__file__).parent / "include"
OWN = {"tilewise.cuh", "cuda_fp16.h", "cuda_bf16.h"}  # the headers that a kernel may include, on a GPU too,
STANDARD = {
    f"{name}.h" for name in ("assert", "float", "limits", "math", "stddef", "stdint", "stdio")
}  # and those of which
STANDARD |= {f"c{name[:-2]}" for name in STANDARD}  # it gets CUDA's functions and types, and the constants
IMPLIED = {"cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "device_launch_parameters.h"}
_folders: list[Path] = []  # where kernels lie, in the order in which they were added
_instead: dict[str, str] = {}


@dataclass(frozen=True)
class Source:
    """The text of NAME.cu, whose kernel is `extern "C" __global__ void NAME(...)`, and the macros defined for it, in
    any order: they are kept in that of their names, so that the same ones are one source.
    """

    name: str
    text: str
    defines: tuple[tuple[str, int], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "defines", tuple(sorted(self.defines)))
        object.__setattr__(self, "text", without_switched_off(with_whole_lines(self.text)))


def source(name: str, defines: dict[str, int]) -> Source:
    """The kernel of that name as it is to be compiled. Raises FileNotFoundError if no folder holds it."""
    return Source(name, _text_of(name), tuple(defines.items()))


def add_folder(folder: Path) -> None:
    """Look for kernels in this folder too."""
    if folder not in _folders:
        _folders.append(folder)


def _text_of(name: str) -> str:
    if name in _instead:
        return _instead[name]
    path = next((path for folder in _folders if (path := folder / f"{name}.cu").exists()), None)
    if path is None:
        raise FileNotFoundError(f"there is no kernel {name}.cu in {', '.join(map(str, _folders)) or 'any folder'}")
    return _text(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=256)
def _text(path: Path, changed: int) -> str:
    return text_in(path.read_bytes())


def text_in(data: bytes) -> str:
    """What a .cu file holds. Compilers take comments in any encoding: what is not UTF-8 is read byte by byte.

    Raises UnicodeDecodeError where letters have several bytes each, as in UTF-16, which no compiler takes.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        if b"\0" in data:
            raise
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def define(name: str, text: str) -> None:
    """From now on `text` is the kernel of that name."""
    _instead[name] = text


@contextlib.contextmanager
def using(name: str, text: str) -> Iterator[None]:
    """Within this context `text` is the kernel of that name."""
    before = _instead.get(name)
    _instead[name] = text
    try:
        yield
    finally:
        if before is None:
            del _instead[name]
        else:
            _instead[name] = before


def with_whole_lines(text: str) -> str:
    """The source with lines that go on behind a backslash in one, as compilers join them before they read anything.

    Empty ones follow it: lines keep their numbers.
    """
    lines, parts = list[str](), list[str]()
    for line in text.split("\n"):
        parts.append(line)
        if not line.endswith("\\"):
            lines += ["".join(part.removesuffix("\\") for part in parts), *[""] * (len(parts) - 1)]
            parts = []
    return "\n".join(lines + parts)


@lru_cache(maxsize=256)
def without_switched_off(text: str) -> str:
    """The source without blocks below `#if 0`, unless something stands for them, and without the headers of the CUDA
    runtime, which compilers of kernels include by themselves; lines keep their numbers.
    """
    lines, begun = text.split("\n"), list[int | None]()  # of each #if that is open the line, None if it may be true
    for number, line in enumerate(code_of(text).split("\n")):
        directive = re.match(r"\s*#\s*(\w+)(.*)", line)
        word = directive[1] if directive else ""
        if directive and word.startswith("if"):
            begun.append(number if (word, directive[2].strip()) == ("if", "0") else None)
        elif word.startswith("el") and begun:
            begun[-1] = None
        elif word == "endif" and begun and (first := begun.pop()) is not None:
            lines[first : number + 1] = [""] * (number + 1 - first)
        elif word == "include" and included(lines[number]) in IMPLIED:
            lines[number] = ""
    return "\n".join(lines)


def included(line: str) -> str:
    """The header that a line of a kernel includes, "" if none."""
    found = re.match(r"\s*#\s*include\s*[<\"]([^>\"]*)", line)
    return found[1] if found else ""


def with_constants(text: str) -> str:
    """The source with what stands for a standard header. All else stays: what is in a comment behind it, too."""
    names = "|".join(map(re.escape, STANDARD))
    standard = rf'^([ \t]*#[ \t]*include[ \t]*)(?:<(?:{names})>|"(?:{names})")'
    return re.sub(standard, r'\1"constants.h"', text, flags=re.M)


# Comments and literals: whichever begins first, so that none hides another.
_TOKENS = re.compile(
    r"(?P<word>[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|'?[\w.])*)"  # or a number, which may have ' between its digits
    r'|//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/)?|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|\n',
    re.S,
)


def with_normal_numbers(text: str) -> str:
    """The source with 2^-126 in place of smaller numbers that have an inverse in float32, such as 1e-38: where results
    below 2^-126 are 0, so would be `0 + 1e-38f`, by which kernels divide where they see no key. Others stay.
    """

    def raised(found: re.Match[str]) -> str:
        word = found["word"] or ""
        if not word.lstrip(".")[:1].isdigit():
            return found[0]
        digits = word.replace("'", "").rstrip("fFlL")
        try:
            number = float.fromhex(digits) if digits[:2] in ("0x", "0X") else float(digits)
        except (OverflowError, ValueError):  # a whole number, or none
            return word
        return f"0x1p-126{word[len(word.rstrip('fFlL')) :]}" if 2.0**-128 < number < 2.0**-126 else word

    return _TOKENS.sub(raised, text)


def code_of(text: str) -> str:
    """The source with its comments and literals emptied; lines keep their numbers.

    A comment of several lines does not end the one in which it begins, as a directive may; they follow it, empty.
    """
    owed = 0

    def without(found: re.Match[str]) -> str:
        nonlocal owed
        if found["word"]:
            return found["word"].replace("'", "")
        owed += found[0].count("\n")
        if found[0] != "\n":
            return '""' if found[0][0] == '"' else " "
        ends, owed = "\n" * owed, 0
        return ends

    return _TOKENS.sub(without, text) + "\n" * owed


@lru_cache(maxsize=256)
def blanked(text: str) -> bytes:
    """The source with blanks in place of its comments and literals; all else stays where a compiler counts it."""

    def without(found: re.Match[str]) -> str:
        return found[0] if found["word"] else "\n".join(" " * len(line.encode()) for line in found[0].split("\n"))

    return _TOKENS.sub(without, text).encode()


_WITH_BRACKETS = re.compile(r"\b(?:alignas|__align__|__launch_bounds__|__cluster_dims__|__maxnreg__) ?\([^()]*\)")
_SCOPES = {"namespace", "struct", "class", "union", "extern"}  # of whose braces functions may stand in
_OF_A_GPU = {"__device__", "__global__"}


def without_directives(text: str) -> str:
    """The source without comments, literals and what is the preprocessor's; lines keep their numbers."""
    return re.sub(r"^[ \t]*#[^\n]*", "", code_of(text), flags=re.M)


def of_the_host(text: str) -> Iterator[tuple[int, str]]:
    """Line and name of each function of a kernel's source that is not annotated as one of the GPU's."""
    of_a_gpu = _OF_A_GPU | {name for name, means in _macros(text) if _OF_A_GPU & {*re.findall(r"\w+", means)}}
    code = without_directives(text)
    begin, depth = 0, 0  # of the declaration at hand, and within a body, whose braces open no scope
    for found in re.finditer(r"[{};]", code):
        if depth:
            depth += {"{": 1, "}": -1, ";": 0}[found[0]]
        elif found[0] == "{":
            declared = _WITH_BRACKETS.sub("", " ".join(code[begin : found.start()].split()))
            words = {*re.findall(r"\w+", declared)}
            depth = int("(" in declared or not words & _SCOPES)
            if _is_function(declared) and not words & of_a_gpu:
                spaces = len(code[begin:]) - len(code[begin:].lstrip())
                yield code.count("\n", 0, begin + spaces) + 1, re.findall(r"([\w~]+) ?\(", declared)[0]
        begin = found.end()


def _macros(text: str) -> Iterator[tuple[str, str]]:
    """The macros that a source defines, and what each means."""
    for found in re.finditer(r"^[ \t]*#[ \t]*define[ \t]+(\w+)\b([^\n]*)", code_of(text), re.M):
        yield found[1], found[2]


def _is_function(declared: str) -> bool:
    """Whether what stands before a brace is a function's parameters, and what may follow them."""
    if not re.search(r"\w ?\(", declared) or "=" in declared.partition("(")[0]:
        return False
    behind = declared[declared.rfind(")") + 1 :].split()
    return {*behind} <= {"const", "noexcept", "volatile", "override", "final", "&", "&&"} or "->" in behind[:2]
