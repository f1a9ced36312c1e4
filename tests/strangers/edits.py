"""Small edits of right answers, and which of them the grader still takes for right.

    python -m tests.strangers.edits EXERCISE ... [--each 20]

Each edit that it prints kept full points: it changes nothing, or an input is missing that tells it apart. Which of the
two is for a reader to say. The answers are in unlike styles, so that not our own solution alone is examined.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
from pathlib import Path

from autograder.processes.workers import in_order
from autograder.showing.terminal import waited_for
from tests.strangers.examine import Answer, answers, as_command, chosen, result_of

OPPOSITES = [
    (" < ", " <= "), (" > ", " >= "), (" == ", " != "), (" + ", " - "), (" * ", " / "), (" += ", " -= "),
    (" // ", " / "), ("True", "False"), ("maximum", "minimum"), ("max(", "min("), (" and ", " or "), (" && ", " || "),
    ("exp2", "exp"), ("float32", "float16"), ("float64", "float32"), ("int64", "int32"), ("long long", "int"),
]  # fmt: skip
ONE_WAY = [
    ('float("-inf")', "-1e30"), ("-INFINITY", "-1e30f"), (".clone()", ""), (".copy()", ""), (".to(tl.int64)", ""),
    (".to(tl.float32)", ""), (".float()", ""), (".contiguous()", ""), ("__syncthreads();", ""),
]  # fmt: skip
RULES = [(a, b) for pair in OPPOSITES for a, b in (pair, pair[::-1])] + ONE_WAY
NAME = re.compile(r"(?<![\w.\"'])[A-Za-z_]\w*(?![\w\"'])(?!\s*[(=][^=])")
NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")
KEYWORDS = {*"if else for while in not and or is return class None True False as pass break".split()}  # noqa: SIM905


def edits_of(text: str) -> list[tuple[int, str]]:
    """Every edit of one line as (number, the line edited): a rule applied, a number one larger or smaller, a line left
    out, a name in place of another that stands in the same file."""
    lines = [re.sub(r"\s*(#|//) .*", "", line) for line in text.splitlines()]
    code = [n for n, line in enumerate(lines) if not line.lstrip().startswith(('"', "import", "from", "def ")) and line]
    names = sorted({name for n in code for name in NAME.findall(lines[n])} - KEYWORDS)
    found: list[tuple[int, str]] = []
    for n in code:
        line = lines[n]
        for old, new in RULES:
            found += [(n, line[: m.start()] + new + line[m.end() :]) for m in re.finditer(re.escape(old), line)]
        for m in NUMBER.finditer(line):
            found += [(n, f"{line[: m.start()]}{int(m[0]) + step}{line[m.end() :]}") for step in (1, -1)]
        if not line.rstrip().endswith((":", "{", "(", "[", ",")) and line.strip() not in (")", "}", "]"):
            found.append((n, line[: len(line) - len(line.lstrip())] + ("" if ";" in line else "pass")))
        for m in NAME.finditer(line):
            if m[0] in names:
                found.append((n, line[: m.start()] + random.Random(f"{n} {m}").choice(names) + line[m.end() :]))
    return [(n, edited) for n, edited in found if edited != lines[n]]


def passes(task: tuple[Answer, Path, int, str]) -> str:
    """What was edited, if the edited answer keeps full points."""
    answer, path, n, edited = task
    lines = answer.path.read_text().splitlines()
    was, lines[n] = lines[n].strip(), edited
    path.write_text("\n".join(lines) + "\n")
    result = result_of(Answer(answer.exercise, path))
    path.unlink()
    return f"{answer.label}:{n + 1}\n    - {was}\n    + {edited.strip()}" if result["status"] == "pass" else ""


def main(words: tuple[str, ...]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("exercises", nargs="+")
    parser.add_argument("--each", type=int, default=20, help="edits of each exercise (20)")
    given = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        tasks: list[tuple[Answer, Path, int, str]] = []
        for name in chosen(given.exercises):
            right = [answer for answer in answers((name,)) if answer.is_right]
            every = [(answer, *edit) for answer in right for edit in edits_of(answer.path.read_text())]
            for answer, n, edited in random.Random(name).sample(every, min(given.each, len(every))):
                tasks.append((answer, Path(folder) / f"{len(tasks)}{answer.path.suffix}", n, edited))
        places = [f"{answer.label}:{n + 1}" for answer, _, n, _ in tasks]
        kept = 0
        for found in waited_for(places, "grading an edit", in_order(passes, tasks, places)):
            if found:
                kept += 1
                print(found, flush=True)
    print(f"{kept} of {len(tasks)} edits kept full points")
    return 0


if __name__ == "__main__":
    as_command(main)
