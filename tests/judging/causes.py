"""Answers whose cause is found late, after many others were tried: which one is named, or that none is.

Each takes seconds, so that they are proved, and not told again while nothing has changed: see tests/proofs.py.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.backends import function_from
from autograder.judging.verdict import Verdict
from autograder.notebook.check import verdict_of
from autograder.spec.catalogue import exercise_named
from tests.strangers.examine import HERE

MACHINERY = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()


@dataclass(frozen=True)
class Told:
    """An answer to `exercise`, and the key of the cause that is named. shows: what else is so of its verdict."""

    label: str
    exercise: str
    source: str
    key: str | None
    shows: Callable[[Verdict], bool] = lambda verdict: verdict.status != "pass"

    @property
    def claim(self) -> str:
        """Of this text, and told so."""
        text = hashlib.sha256(self.source.encode()).hexdigest()
        return f"{self.label} is told {self.key or 'no cause'}: {text}, by {MACHINERY}"

    def problems(self) -> Iterator[str]:
        verdict = verdict_of(function_from(exercise_named(self.exercise), self.source, "a stranger's"))
        found = verdict.diagnosis.key if verdict.diagnosis else None
        if found != self.key:
            yield f"{self.label} is told {found}, and not {self.key}"
        if not self.shows(verdict):
            yield f"{self.label} does not show what it is to show"


def stranger_s(label: str) -> str:
    return (HERE / "answers" / f"{label}.py").read_text()


def edited(source: str, right: str, instead: str) -> str:
    assert source.count(right) == 1, right
    return source.replace(right, instead)


# A situation shows in cases of other kinds, too.
STRANGERS = {
    "flash_causal/wrong_minus_big_instead_of_inf": "hidden-outweighs",
    "flash_full/wrong_unscaled_max": "no-own-maximum",
    "paged_gather_attention/wrong_prefill_mask": "top-left-of-several",
    "causal_queries_outside/wrong_large_negative_score": "finite-for-hidden",
    "causal_queries_outside/wrong_lowest_finite_fill": "empty-row-weighs",
    "dropout_forward/wrong_floor_at_minus_1e4": "far-from-maximum",
    "recompute_probabilities/wrong_ten_thousand": "hidden-overflows",
    "prefill_cost/wrong_float": "floats",
    "safe_softmax/wrong_billion_for_mask": "finite-for-inf",
    "PagedCache/wrong_copy_then_further_sorted": "copy-taken-last",
    "cached_attention/wrong_mask_before_scale": "masked-early",
    "cached_attention/wrong_max_before_negative_scale": "scaled-late",
    "fused_softmax/wrong_maximum_floored_1e4": "far-from-maximum",
    "fused_softmax/wrong_output_like_input": "strides-of-result",
    "dropout_dkdv/wrong_L_strides": "contiguous-only",
}

# A mistake is recognised in tiles that an answer chooses itself; where they are given, they are those of the mistake.
OF_TILES = "query_gradients/wrong_own_softmax_per_tile"
TILES = {"its own tiles": ("", "softmax-in-tile"), "small tiles": ("tile_m, tile_n = 16, 16", None)}

# A mistake is told apart by where an answer raises.
LEAVES = "        theirs = positions"  # where a step of causal_ring begins
RAISING = {
    "leaves in the second step": (LEAVES, f"        if rank == 0 and step == 1:\n            break\n{LEAVES}", None),
    "masks the keys": ("at <= own[:, None]", "(at[:, None] <= own)", "mask-of-keys"),
}

# Scores that are cut off below are wrong where they are low, and where a row sees nothing they are right: they stand
# for no infinity.
PRODUCT = 's = tl.dot(q, k.T, input_precision="ieee")'
LOWEST = f"{PRODUCT}\n        s = tl.maximum(s, -1e6)"

# Beside a named mistake stands no count that its wrong values spoil.
AS_IT_WAS = {"flash_rows": ("m = m_new;", ""), "queries_outside": ("m = m_new", "pass")}


def _source(exercise: str) -> str:
    return exercise_named(exercise).source


def _fails_and_raises(verdict: Verdict) -> bool:
    return any(case.failure for case in verdict.cases) and any(case.comparisons for case in verdict.cases)


def _fails_in_one(verdict: Verdict) -> bool:
    return [case.key for case in verdict.cases if case.status != "pass"] == ["billions-below"]


def _all() -> Iterator[Told]:
    for label, key in STRANGERS.items():
        yield Told(label, label.split("/")[0], stranger_s(label), key)
    for label, (tiles, found) in TILES.items():
        text = edited(stranger_s(OF_TILES), "    tile_m, tile_n =", f"    {tiles}\n    tile_m, tile_n =")
        yield Told(f"{OF_TILES} in {label}", OF_TILES.split("/")[0], text, found)
    for label, (right, instead, found) in RAISING.items():
        text = edited(_source("causal_ring"), right, instead)
        yield Told(f"causal_ring where it {label}", "causal_ring", text, found, _fails_and_raises)
    text = edited(_source("flash_causal"), PRODUCT, LOWEST)
    yield Told("flash_causal with scores cut off below", "flash_causal", text, None, _fails_in_one)
    for name, (line, instead) in AS_IT_WAS.items():
        text = edited(_source(name), line, instead)
        yield Told(f"{name} with m as it was", name, text, "m-not-updated", lambda verdict: not verdict.over)


TOLD = list(_all())
