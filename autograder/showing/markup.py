"""Pieces of static HTML shared by everything a learner sees: escaped, without scripts, for light and dark pages alike.

All text takes the page's own colour: none has a contrast of 4.5 on white and on #111 alike. The accents colour shapes
and lines, for which 3 is enough, and a word always says the same. Styles are inline, because cards are shown in pages
(JupyterLab, a feedback page, a notebook preview) whose style sheets are not ours.
"""

from __future__ import annotations

import html
import re
import textwrap
from dataclasses import dataclass

GREEN, RED, AMBER, BLUE, VIOLET, GREY = "#1f8a4c", "#d9453d", "#b06c00", "#2f7bd6", "#8b62d9", "#767676"

# The page's style sheet would give code and pre a background and a colour made for one theme only.
MONO = "font:.93em/1.5 ui-monospace,Menlo,Consolas,monospace;background:none;color:inherit;padding:0;border:0"
MUTED = "opacity:.7"

NEGATIVE = re.compile(r"(?<![\w)])-(?:inf\b|\d[\w.]*)")


@dataclass(frozen=True)
class Shown:
    """Something to look at: HTML in a notebook, plain text anywhere else."""

    text: str
    html: str

    def _repr_html_(self) -> str:
        return self.html

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__


def clip(text: str, limit: int = 300) -> str:
    """At most `limit` characters of `text`; characters that would steer a terminal or a page become U+FFFD."""
    text = text if len(text) <= limit else text[: limit - 3] + "..."
    return "".join(c if c.isprintable() or c == "\n" else " " if c == "\t" else "\ufffd" for c in text)


def esc(text: object, limit: int = 300) -> str:
    """`text`, clipped and escaped, for an element or an attribute."""
    return html.escape(clip(str(text), limit))


def code(text: str, limit: int = 300) -> str:
    """Inline code; a short piece is not broken across lines."""
    return f'<code style="{MONO};white-space:{"nowrap" if len(text) < 40 else "pre-wrap"}">{esc(text, limit)}</code>'


def block(text: str, limit: int = 2000) -> str:
    """Lines of code, none of them broken: JupyterLab's style sheet would break them, within words, in both elements."""
    whole = f"{MONO};white-space:pre;word-break:normal"
    return f'<pre style="{whole};margin:4px 0;overflow-x:auto"><code style="{whole}">{esc(text, limit)}</code></pre>'


def prose(text: str, limit: int = 2000) -> str:
    """Markdown as hints use it: paragraphs, `code`, and fenced blocks. Everything else is taken literally."""
    out = []
    for i, part in enumerate(_fenced(clip(text, limit))):
        if i % 2:
            out.append(block(part.rstrip("\n")))
            continue
        paragraphs = (paragraph.strip() for paragraph in part.split("\n\n") if paragraph.strip())
        out += [f'<div style="margin:4px 0">{inline(paragraph, limit)}</div>' for paragraph in paragraphs]
    return "".join(out)


def inline(text: str, limit: int = 300) -> str:
    """A sentence with `code` in it. A minus and its number stay on one line."""
    pieces = re.split(r"`([^`\n]+)`", clip(text, limit))
    whole = r'<span style="white-space:nowrap">\g<0></span>'
    return "".join(code(p) if i % 2 else NEGATIVE.sub(whole, esc(p, limit)) for i, p in enumerate(pieces))


def plain(text: str, limit: int = 2000) -> str:
    """The same for a terminal: lines of at most 100 characters, fenced blocks indented."""
    out = []
    for i, part in enumerate(_fenced(clip(text, limit))):
        if i % 2:
            out.append(textwrap.indent(part.rstrip("\n"), "    "))
        else:
            out += [textwrap.fill(paragraph.strip(), 100) for paragraph in part.split("\n\n") if paragraph.strip()]
    return "\n".join(out)


def _fenced(text: str) -> list[str]:
    """Prose and fenced code alternating, prose first."""
    return re.split(r"```\w*\n(.*?)```", text, flags=re.S)


def details(summary: str, inside: str) -> str:
    """A fold with a one-line `summary` (text) over `inside` (HTML). It opens without a kernel and without scripts."""
    return (
        f'<details style="margin:0"><summary style="cursor:pointer;display:list-item">{esc(summary)}</summary>'
        f'<div style="padding-left:16px">{inside}</div></details>'
    )


def rows(pairs: list[tuple[str, str]]) -> str:
    """Label and content (HTML) side by side."""
    cells = "".join(
        f'<div style="{MUTED}">{esc(label)}</div><div style="min-width:0;overflow-wrap:anywhere">{content}</div>'
        for label, content in pairs
    )
    grid = "display:grid;grid-template-columns:minmax(5.2em,max-content) 1fr;gap:3px 10px;margin-top:4px"
    return f'<div style="{grid}">{cells}</div>'


def frame(accent: str, *parts: str, label: str) -> str:
    """The box of a card: a coloured bar at the left, nothing else. Dollar signs in it are not taken for formulas.

    label: what a screen reader says of it.
    """
    style = f"border-left:4px solid {accent};padding:4px 0 4px 14px;margin:6px 0;max-width:860px;line-height:1.5"
    names = 'class="tilewise mathjax_ignore tex2jax_ignore" role="group"'
    return f'<div {names} aria-label="{esc(label)}" style="{style}">{"".join(parts)}</div>'


def heading(*parts: str, aside: str = "") -> str:
    """The first line of a card, with `aside` at its right end."""
    left = "".join(f"<span>{part}</span>" for part in parts if part)
    right = f'<span style="margin-left:auto">{aside}</span>' if aside else ""
    return f'<div style="display:flex;flex-wrap:wrap;align-items:center;gap:2px 16px">{left}{right}</div>'


def word(text: str, accent: str) -> str:
    """A word in bold, underlined in its accent."""
    return f'<b style="border-bottom:3px solid {accent}">{esc(text)}</b>'


def number(x: float) -> str:
    """Points for people: 2, 1.33, 0.5."""
    return f"{x:.2f}".rstrip("0").rstrip(".")
