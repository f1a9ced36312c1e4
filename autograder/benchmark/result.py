"""What a measurement found, as plain data: JSON out and in, and the table recorded on an H200."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

from .timing.clock import Timing
from .timing.roofline import Ceilings, Device

SCHEMA_VERSION = 1
LEADING = ("yours", "course")  # the columns of answers, whose ratios to the others are shown


@dataclass(frozen=True)
class Row:
    """One problem of one exercise. work, roofline and serial: in operations or bytes (per second); see `roofline`."""

    exercise: str
    kind: str  # the problem's name: "softmax", "forward", "decode", ...
    label: str
    shape: dict[str, int | bool]
    dtype: str
    unit: str  # "TFLOP/s" or "TB/s", of the rates
    work: float
    roofline: float
    serial: float
    columns: dict[str, Timing]

    @property
    def lead(self) -> str:
        """The column that is compared with the others: the learner's if there is one."""
        return next((name for name in LEADING if name in self.columns), "")

    def rate(self, column: str) -> float:
        """In the unit of the row."""
        return self.work / self.columns[column].ms * 1e-9

    def ratio(self, peer: str) -> float:
        """How many times as fast as the peer the leading column is; below 1 it is slower."""
        return self.columns[peer].ms / self.columns[self.lead].ms

    def share(self, of: float) -> float:
        """The leading column's rate as a fraction of a ceiling."""
        return self.rate(self.lead) * 1e12 / of


@dataclass
class Measurement:
    """What one run measured.

    note: why nothing was measured. refused: what was measured and not believed, or not measured because it is wrong, a
    sentence each. missing: which problems or peers are left out, and why.
    """

    exercises: list[str]
    rows: list[Row] = field(default_factory=list)
    device: Device | None = None
    ceilings: Ceilings | None = None
    versions: dict[str, str] = field(default_factory=dict)
    command: str = ""
    date: str = ""
    note: str = ""
    refused: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, in the order in which the file is read."""
        rows = [
            asdict(row) | {"columns": {name: asdict(t) | {"rate": row.rate(name)} for name, t in row.columns.items()}}
            for row in self.rows
        ]
        return {
            "schema": SCHEMA_VERSION,
            "device": self.device and asdict(self.device),
            "versions": self.versions,
            "command": self.command,
            "date": self.date,
            "ceilings": self.ceilings and asdict(self.ceilings),
            "exercises": self.exercises,
            "note": self.note,
            "refused": self.refused,
            "missing": self.missing,
            "rows": rows,
        }

    def save(self, path: Path | str) -> None:
        """Write the JSON."""
        Path(path).write_text(json.dumps(self.to_dict(), indent=1, allow_nan=False) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Self:
        """The measurement that `save` wrote. Raises ValueError if the file is of another schema."""
        data = json.loads(path.read_text(encoding="utf-8"))
        if data.get("schema") != SCHEMA_VERSION:
            raise ValueError(f"{path.name} has schema {data.get('schema')}; this version reads {SCHEMA_VERSION}")
        del data["schema"]
        data["device"] = data["device"] and Device(**data["device"])
        data["ceilings"] = data["ceilings"] and Ceilings(**data["ceilings"])
        data["rows"] = [Row(**row | {"columns": _timings(row["columns"])}) for row in data["rows"]]
        return cls(**data)

    def of(self, exercise: str) -> list[Row]:
        return [row for row in self.rows if row.exercise == exercise]

    def measured(self) -> Iterator[str]:
        """The exercises that have rows."""
        return (name for name in self.exercises if self.of(name))


def _timings(columns: dict[str, dict[str, Any]]) -> dict[str, Timing]:
    """The timings without the rates, which follow from the work."""
    return {name: Timing(**{k: v for k, v in t.items() if k != "rate"}) for name, t in columns.items()}
