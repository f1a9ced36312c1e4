"""What programs reach on the H200 of bench/h200*.json, to three digits: what questions count with."""

import json
from typing import Any

from ..spec.folders import MEASURED


def _read(more: str = "") -> Any:
    return json.loads(MEASURED.with_stem(MEASURED.stem + more).read_text(encoding="utf-8"))


_CEILINGS, _LINKS = _read()["ceilings"], _read("_links")
PEAK, BANDWIDTH, EXPONENTIALS = (float(f"{_CEILINGS[name]:.3g}") for name in ("matmul", "copy", "exp"))
RIDGE = PEAK / BANDWIDTH  # operations per byte
CALL = _LINKS["relu_us"]["256"] / 1e6  # seconds of a small kernel that Python calls
