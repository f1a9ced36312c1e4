"""The limits of a child."""

import os

import pytest

from autograder.processes.child_link import CROWDED, Limits
from autograder.runner.helper.cache import CORES


@pytest.mark.parametrize(("load", "times"), [(0, 1), (CORES, 1), (2 * CORES, 2), (100 * CORES, CROWDED)])
def test_a_crowded_machine_gives_as_much_more_time_by_the_clock(monkeypatch, load, times):
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 0, 0))
    assert Limits(seconds=5).seconds_now == 5 * times
