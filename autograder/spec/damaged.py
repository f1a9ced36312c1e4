"""The cells of a notebook that no longer is one: cut off, with a merge's marks in it, with fields that cannot be."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from nbformat.v4 import new_code_cell, new_notebook

from .notebook import Notebook

# How a cell's text begins, whichever of its fields is written first.
BEGINS = re.compile(r'\{\s*"(?:attachments|cell_type|execution_count|id|metadata|outputs|source)"\s*:')
MOST_READ_IN_VAIN = 20_000_000  # characters: a file may be made so that each try reads all that follows


def salvaged(text: str) -> Notebook | None:
    """A notebook of the code cells that are whole, in their order; None if there is none."""
    cells = [cell for found in _objects(text) if (cell := _code_cell(found))]
    return new_notebook(cells=cells) if cells else None


def _objects(text: str) -> Iterator[Any]:
    """What reads as JSON from where a cell may begin, nothing of it twice."""
    decoder, at, in_vain = json.JSONDecoder(), 0, 0
    while in_vain < MOST_READ_IN_VAIN and (begins := BEGINS.search(text, at)):
        try:
            found, at = decoder.raw_decode(text, begins.start())
            yield found
        except json.JSONDecodeError as error:
            in_vain += error.pos - begins.start()
            at = begins.start() + 1
        except (RecursionError, ValueError):  # nested too deeply; a number of too many digits
            return


def _code_cell(found: Any) -> Notebook | None:
    """The cell, without outputs and all that does not say which it is."""
    if not isinstance(found, dict) or found.get("cell_type") != "code":
        return None
    source = found.get("source", found.get("input"))  # as it was called before format 4
    lines: list[Any] = source if isinstance(source, list) else [source]
    if not all(isinstance(line, str) for line in lines):
        return None
    metadata = found.get("metadata")
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    known = {"nbgrader": nbgrader} if isinstance(nbgrader, dict) else {}
    return new_code_cell("".join(lines), metadata=known)
