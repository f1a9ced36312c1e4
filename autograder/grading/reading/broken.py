"""A .py file with a mistake of syntax: what stands beside it is still read, as the other cells of a notebook are."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

BEGINS = re.compile(r"(?!(?:else|elif|except|finally|case)\b)[^\s#)\]}]")  # a statement, at the left margin
QUOTES = re.compile(r'"""|\'\'\'')


def without_broken(text: str) -> tuple[str, str]:
    """The text with empty lines in place of each statement of its own level that is no Python, and what is wrong with
    the first of them; the text itself and "" if there is none.
    """
    if not (wrong := _mistake(text)):
        return text, ""
    kept = ["\n".join(lines) if not _mistake("\n".join(lines)) else "\n" * (len(lines) - 1) for lines in _parts(text)]
    return "\n".join(kept), wrong


def _mistake(text: str) -> str:
    try:
        ast.parse(text)
    except SyntaxError as error:
        return f"line {error.lineno} is no Python ({error.msg})"
    except (ValueError, RecursionError, MemoryError):
        return "it cannot be read as Python"
    return ""


def _parts(text: str) -> Iterator[list[str]]:
    """The lines of each statement at the left margin, with what follows it; decorators with their function."""
    part: list[str] = []
    quotes, is_whole = 0, False  # in the part so far; whether more than decorators, comments and empty lines is there
    for line in text.split("\n"):
        if is_whole and not quotes % 2 and BEGINS.match(line):
            yield part
            part, quotes, is_whole = [], 0, False
        part.append(line)
        quotes += len(QUOTES.findall(line))
        is_whole |= not line.startswith(("@", "#")) and bool(line)
    yield part
