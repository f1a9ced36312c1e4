"""Verdicts as plain data: the entries of results.json (see results.schema.json), with a stable key order."""

from __future__ import annotations

import hashlib
from typing import Any

from ..judging.verdict import CaseResult, Verdict

SCHEMA_VERSION = 1


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
