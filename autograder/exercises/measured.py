"""What programs reach on the H200 of bench/h200*.json, to three digits: what questions count with, and some cases."""

import json
from typing import Any

from ..spec.folders import MEASURED


def _read(more: str = "") -> Any:
    return json.loads(MEASURED.with_stem(MEASURED.stem + more).read_text(encoding="utf-8"))


def rate(exercise: str, label: str) -> float:
    """Of the course's own kernel, as in the row of that label: TFLOP/s or TB/s."""
    rows = [row for row in _BEST["rows"] if (row["exercise"], row["label"]) == (exercise, label)]
    return float(rows[0]["columns"]["course"]["rate"])


_BEST, _LINKS = _read(), _read("_links")
PEAK, BANDWIDTH, EXPONENTIALS = (float(f"{_BEST['ceilings'][name]:.3g}") for name in ("matmul", "copy", "exp"))
RIDGE = PEAK / BANDWIDTH  # operations per byte
CALL = _LINKS["relu_us"]["256"] / 1e6  # seconds of a small kernel that Python calls
