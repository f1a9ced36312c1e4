# Right: a fold with functools.reduce over a NamedTuple state, math.exp on Python floats.
from functools import reduce
from math import exp, inf
from typing import NamedTuple


class State(NamedTuple):
    m: float = -inf
    l: float = 0.0


def absorb(state: State, x) -> State:
    m = max(state.m, float(x))
    if m == -inf:
        return state
    return State(m, state.l * exp(state.m - m) + exp(float(x) - m))


def online_stats(stream):
    m, l = reduce(absorb, stream, State())
    return m, l
