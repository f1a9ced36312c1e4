"""report.html: a class run on one page, light and dark. What it says is gathered here, its looks are the template's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ..showing.markup import number
from ..showing.page import page
from .results import waits

Result = dict[str, Any]

# Status -> (CSS class, word). A word accompanies every colour.
WORDS = {
    "pass": ("ok", "right"),
    "partial": ("part", "partly"),
    "fail": ("bad", "wrong"),
    "error": ("bad", "crashed"),
    "timeout": ("bad", "too slow"),
    "memory": ("bad", "memory"),
    "not_attempted": ("none", "-"),
    "flagged": ("look", "look"),
    "infra": ("look", "waits"),
}
LOOK_AT = {"flagged": "its process sent back something that is not an answer", "infra": "start the run again"}


def report(results: Sequence[Result]) -> str:
    """The whole page for the results of a class, as grade_class returns them. Raises ValueError if there are none."""
    if not results:
        raise ValueError("a report needs at least one result")
    return page(
        "grading/class_report.html.j2",
        facts=_facts(results),
        to_look_at=_to_look_at(results),
        students=[_student(result) for result in results],
        exercises=[_exercise(column) for column in zip(*(r["exercises"] for r in results), strict=True)],
    )


def _facts(results: Sequence[Result]) -> dict[str, str]:
    first = results[0]
    attempted = [r for r in results if any(e["status"] != "not_attempted" for e in r["exercises"])]
    graded = [r["points"] for r in attempted if not waits(r)]
    mean = sum(graded) / max(len(graded), 1)
    whose = "those who did" if len(graded) == len(attempted) else f"the {len(graded)} of them for whom nothing waits"
    return {
        "students": f"{len(results)}, of whom {len(attempted)} attempted something",
        "mean": f"{number(mean)} of {number(first['max_points'])} points among {whose}",
        "seed": _all(r["seed_id"] for r in results) + " (its id; the seed itself stays with the grader)",
        "sandbox": _all(r["sandbox"] for r in results),
        "course": _all("{name} {version} ({fingerprint})".format(**r["course"]) for r in results),
        "machine": _all(", ".join(f"{k} {v}" for k, v in r["environment"].items()) for r in results),
    }


def _all(values: Iterable[str]) -> str:
    """The value, or the values with the number of results for each."""
    counts = Counter(values).most_common()
    return counts[0][0] if len(counts) == 1 else ", ".join(f"{value} ({count})" for value, count in counts)


def _to_look_at(results: Sequence[Result]) -> list[tuple[str, str, str]]:
    """Student, exercises and reason: flagged answers, the grader's own failures, files that could not be read."""
    lines: list[tuple[str, str, str]] = []
    for result in results:
        lines += [(result["student"], "", note) for note in result["submission"]["notes"]]
        reasons: dict[str, list[str]] = {}
        for entry in result["exercises"]:
            if entry["status"] in LOOK_AT:
                why = entry["note"] or LOOK_AT[entry["status"]]
                reasons.setdefault(why, []).append(entry["exercise"])
        lines += [(result["student"], ", ".join(of), why) for why, of in reasons.items()]
    return lines


def _student(result: Result) -> dict[str, Any]:
    points = "waits" if waits(result) else number(result["points"])
    return {"name": result["student"], "points": points, "cells": [_cell(e) for e in result["exercises"]]}


def _cell(entry: dict[str, Any]) -> dict[str, Any]:
    kind, word = WORDS[entry["status"]]
    scored = entry["status"] not in ("not_attempted", "infra")
    return {"kind": kind, "word": word, "scored": scored, "points": entry["points"]}


def _exercise(entries: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """One exercise: how its answers fared, the pass rate of every case, the most common diagnoses."""
    counts = Counter(e["status"] for e in entries)
    attempts = [e for e in entries if e["status"] != "not_attempted"]
    graded = [e for e in attempts if e["status"] != "infra"]
    in_order = [(status, counts[status]) for status in WORDS if counts[status]]
    said = [f"{n} {WORDS[status][1]}" for status, n in in_order if status != "not_attempted"]
    if counts["not_attempted"]:
        said.append(f"{counts['not_attempted']} not attempted")
    return {
        "name": entries[0]["exercise"],
        "said": ", ".join(said),
        "graded": len(graded),
        "mean": sum(e["points"] for e in graded) / max(len(graded), 1),
        "max_points": entries[0]["max_points"],
        "stack": [(WORDS[status][0], n) for status, n in in_order],
        "cases": _cases(attempts),
        "mistakes": _mistakes(attempts),
    }


def _cases(attempts: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    cases = [(case["name"], case["status"]) for e in attempts for case in e["cases"]]
    counts, passed = Counter(name for name, _ in cases), Counter(name for name, status in cases if status == "pass")
    return [{"name": name, "passed": passed[name], "of": of} for name, of in counts.items()]


def _mistakes(attempts: Sequence[dict[str, Any]]) -> list[tuple[str, int]]:
    mistakes = Counter(e["diagnosis"]["mutant"] for e in attempts if e["diagnosis"])
    mistakes += Counter(f"over budget in {o['kind']}" for e in attempts for o in e["over_budget"])
    return mistakes.most_common(5)
