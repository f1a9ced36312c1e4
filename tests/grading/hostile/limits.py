"""What a hostile answer may use."""

from autograder.processes.child_link import Limits

LIMITS = Limits(seconds=3.0, memory=256 << 20)


def limits_for(status: str) -> Limits:
    """Those of an answer that gets this status: what never ends gets less time, which no machine is too slow for."""
    return Limits(seconds=1.0, memory=LIMITS.memory) if status == "timeout" else LIMITS
