"""What a hostile answer may use."""

from dataclasses import replace

from autograder.processes.child_link import Limits

LIMITS = Limits(memory=256 << 20)  # the time is a class run's, which a busy machine keeps within too
SHORT = replace(LIMITS, seconds=1.0)  # for what never ends: no machine is too slow for that
LITTLE = replace(LIMITS, memory=64 << 20)  # for what takes all there is, in each case anew


def limits_for(status: str) -> Limits:
    """Those of an answer that gets this status."""
    return {"timeout": SHORT, "memory": LITTLE}.get(status, LIMITS)
