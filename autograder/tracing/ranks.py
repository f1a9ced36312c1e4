"""A function on W ranks, for a lesson's demo cells: what each rank returned, did and waited for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..runner.failure import is_learners
from ..runner.ranks.run import Run, run


def run_ranks(function: Callable[..., Any], **arguments: Any) -> Run:
    """Call `function` on every rank: a list among the arguments holds one shard for each, all else is common.

    Raises what a rank raised, and RankFault for what the ranks do wrong together.
    """
    done = run(function, arguments, is_learners)
    if done.error is not None:
        raise done.error
    return done
