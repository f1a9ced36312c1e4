"""What programs reach on the H200 that bench/h200.json was measured on, to three digits: what questions count with."""

import json

from ..spec.folders import MEASURED

_CEILINGS = json.loads(MEASURED.read_text(encoding="utf-8"))["ceilings"]
PEAK, BANDWIDTH, EXPONENTIALS = (float(f"{_CEILINGS[name]:.3g}") for name in ("matmul", "copy", "exp"))
RIDGE = PEAK / BANDWIDTH  # operations per byte
