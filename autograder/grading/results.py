"""Verdicts as plain data: the entries of results.json (see results.schema.json), with a stable key order."""

from __future__ import annotations

import hashlib
import json
from typing import Any, get_args

from ..judging.verdict import CaseResult, Status, Verdict

SCHEMA_VERSION = 1

# The form of what a class run reads of a result: the type of each value, or types or forms of which it has one.
NUMBER = (int, float)
CASE = {
    **dict.fromkeys(("key", "name", "status", "message", "text"), str),
    **dict.fromkeys(("max_error", "tolerance"), (int, float, type(None))),
    "line": int,
}
OVER = {"kind": str, "message": str, "used": NUMBER, "allowed": NUMBER, "line": int, "text": str}
DIAGNOSIS = {"key": str, "mutant": str, "hint": int}
ENTRY = {
    **dict.fromkeys(("exercise", "status", "headline", "note"), str),
    **dict.fromkeys(("points", "max_points"), NUMBER),
    "cases": [CASE],
    "over_budget": [OVER],
    "diagnosis": (type(None), DIAGNOSIS),
    "measurements": dict,
}
FORM = {
    "schema": int,
    "course": dict.fromkeys(("name", "version", "fingerprint"), str),
    **dict.fromkeys(("student", "seed_id", "sandbox"), str),
    "submission": {"hash": str, "files": [str], "notes": [str]},
    "environment": dict.fromkeys(("python", "numpy", "torch", "machine", "backend"), str),
    **dict.fromkeys(("points", "max_points"), NUMBER),
    "exercises": [ENTRY],
}
STATED = ("schema", "course", "student", "seed_id", "max_points")  # which hang on no answer


def seed_id(seed: str) -> str:
    """A name for the seed that does not reveal it."""
    return hashlib.sha256(b"tilewise seed " + seed.encode()).hexdigest()[:12]


def waits(result: dict[str, Any]) -> bool:
    """Whether something in this result of a submission could not be graded, so that its points are no total."""
    return any(entry["status"] == "infra" for entry in result["exercises"])


def exercise_result(verdict: Verdict) -> dict[str, Any]:
    """One exercise's entry."""
    return {
        "exercise": verdict.name,
        "status": verdict.status,
        "points": verdict.points,
        "max_points": verdict.max_points,
        "headline": verdict.headline,
        "note": verdict.note,
        "cases": [_case(c) for c in verdict.cases],
        "over_budget": [
            {"kind": o.kind, "message": o.message, "used": o.used, "allowed": o.allowed, "line": o.line, "text": o.text}
            for o in verdict.over
        ],
        "diagnosis": None
        if verdict.diagnosis is None
        else {"key": verdict.diagnosis.key, "mutant": verdict.diagnosis.mutant, "hint": verdict.diagnosis.hint},
        "measurements": dict(verdict.measured),
    }


def _case(case: CaseResult) -> dict[str, Any]:
    worst = case.worst
    return {
        "key": case.key,
        "name": case.name,
        "status": case.status,
        "message": case.message,
        "max_error": _finite(worst.max_error if worst else None),
        "tolerance": _finite(worst.max_bound if worst else None),
        "line": case.failure.line if case.failure else 0,
        "text": case.failure.text[:200] if case.failure else "",
    }


def _finite(x: float | None) -> float | None:
    """JSON has no infinity or NaN: an error that is not finite becomes null."""
    return x if x is not None and abs(x) < float("inf") else None


def as_json(result: dict[str, Any]) -> str:
    """What a file with this result says. Raises TypeError or ValueError if it holds what JSON does not know."""
    return json.dumps(result, indent=1, allow_nan=False) + "\n"


def wrong_in(result: Any, empty: dict[str, Any], level: str | None) -> str:
    """What tells that a result, which a worker may have made up, is none of this submission; nothing does: "".

    empty: the submission's result with nothing graded. level: the sandbox's, if it has to be that one.
    """
    if not _is_like(result, FORM):
        return "it has not the form of one"
    try:
        json.dumps(result, allow_nan=False, sort_keys=True)  # as for its key, too
    except (TypeError, ValueError, RecursionError) as error:
        return f"it cannot be written: {error}"
    said, meant = result["submission"], empty["submission"]
    others = [name for name in STATED if result[name] != empty[name]]
    others += [name for name in ("hash", "files") if said[name] != meant[name]]
    others += ["sandbox"] if level not in (None, result["sandbox"]) else []
    names, right = ([e["exercise"] for e in each["exercises"]] for each in (result, empty))
    others += ["exercises"] if names != right else []
    if others:
        return f"its {others[0]} should be another"
    for entry, of in zip(result["exercises"], empty["exercises"]):
        if not _is_possible(entry, of):
            points = f"{entry['points']} of {entry['max_points']} points"
            return f"{entry['exercise']} cannot be {entry['status']} with {points}"
    in_all = round(sum(entry["points"] for entry in result["exercises"]), 4)
    return "" if result["points"] == in_all else "its points are not the sum of its exercises'"


def _is_possible(entry: dict[str, Any], empty: dict[str, Any]) -> bool:
    """Whether an exercise can have this status and these points. empty: its entry with nothing graded."""
    most = 0 if entry["status"] in ("infra", "flagged", "not_attempted") else empty["max_points"]
    known = entry["status"] in get_args(Status) and entry["max_points"] == empty["max_points"]
    return known and 0 <= entry["points"] <= most


def _is_like(value: Any, form: Any) -> bool:
    if isinstance(form, dict):
        return (
            isinstance(value, dict) and value.keys() == form.keys() and all(_is_like(value[n], form[n]) for n in form)
        )
    if isinstance(form, list):
        return isinstance(value, list | tuple) and all(_is_like(each, form[0]) for each in value)
    if isinstance(form, tuple):
        return any(_is_like(value, each) for each in form)
    return isinstance(value, form)
