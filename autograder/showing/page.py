"""Jinja2 templates for what holds text that somebody handed in: every value is clipped and escaped, none is markup."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from .markup import clip, number

PAGES = Environment(
    loader=FileSystemLoader(Path(__file__).parents[1]),  # templates lie beside the modules that fill them
    autoescape=True,
    undefined=StrictUndefined,
    finalize=lambda value: clip(str(value)),
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
PAGES.filters |= {"clip": clip, "number": number}


def page(template: str, **values: Any) -> str:
    """A template, by its path in autograder, filled with plain data. Raises UndefinedError if a value is missing."""
    return PAGES.get_template(template).render(values)
