"""A model's parts as far as possible from the learner's own answers: in this session, and the last that passed."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from autograder.backends import function_from
from autograder.notebook.starters import passed
from autograder.spec.catalogue import exercise_named, lesson_of
from kernels import language_model as course

THIS_LESSON = ("rms_norm", "swiglu", "attention_layer", "next_token_loss")


def own(name: str) -> tuple[Any, bool]:
    """An exercise's answer: the learner's last passing one, or the course's; and whether it is the learner's.

    What it uses of the same lesson is the learner's too, where that has passed, and else the course's.
    """
    exercise = exercise_named(name)
    if passed(name) is None:
        return exercise.function, False
    before = itertools.takewhile(lambda e: e.name != name, lesson_of(exercise).exercises)
    sources = [source for e in (*before, exercise) if e.engine.is_python and (source := passed(e.name))]
    try:
        return function_from(exercise, "\n\n".join(sources), label="yours"), True
    except Exception:  # an answer that leans on a cell of its own
        return exercise.function, False


def own_parts(*answers: Callable[..., Any], device: str = "") -> tuple[course.Parts, str]:
    """The parts of a model, and a sentence that says whose they are.

    answers: functions of this session, which come before all that is kept. device: where the model will be; if "", on
    the GPU where there is one. There attention is Triton's, else torch's.
    """
    given = {answer.__name__: (answer, True) for answer in answers}
    found: dict[str, tuple[Any, bool]] = {}

    def part(name: str) -> Any:
        found[name] = given.get(name) or own(name)
        return found[name][0]

    parts = course.Parts(**{name: part(name) for name in THIS_LESSON}, cache=part("PagedCache"))
    chosen: dict[str, Any]
    if (device or best_device()).startswith("cuda"):
        chosen = on_gpu(part("flash_attention"), part("attention_with_gradients"))
        chosen |= {"prefill": part("paged_prefill"), "decode": part("paged_decode")}
    else:
        gather = part("paged_gather_attention")
        chosen = {"prefill": gather, "decode": course.one_token(gather)}
        chosen["forward"] = course.by_heads(part("attention_block"))
        chosen["gradients"] = course.gradients_by_heads(part("attention_gradients"))
    return replace(parts, **chosen), _said(found)


def on_gpu(forward: Callable[..., Any], with_gradients: Callable[..., Any]) -> dict[str, Any]:
    """What trains on a GPU; attention_with_gradients runs the forward pass again, and so needs neither o nor L."""

    def gradients(q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor) -> tuple[Tensor, ...]:
        with torch.enable_grad():  # which is off within a backward pass
            return tuple(with_gradients(q, k, v, do.contiguous(), causal=True)[1:])

    return {"forward": lambda q, k, v: forward(q, k, v, causal=True), "gradients": gradients}


def best_device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


def _said(found: dict[str, tuple[Any, bool]]) -> str:
    yours, ours = ([name for name, (_, is_own) in found.items() if is_own == kind] for kind in (True, False))
    said = f"Yours: {', '.join(yours) or 'nothing yet'}."
    return said + (f" The course's, since no passing answer of yours is kept: {', '.join(ours)}." if ours else "")
