"""The course's caches hold under operations in any order, and every mistake in them is found so."""

import pytest

from autograder.spec import interpreter

interpreter.choose()
pytest.importorskip("triton", reason="Triton is not installed on this machine")

from tests import proofs  # noqa: E402
from tests.exercises.paged_machines import MACHINES, mistakes_of  # noqa: E402


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.kind.__name__)
def test_the_course_s_own_holds_in_any_order(machine):
    assert proofs.of_machine(machine).problems() == []


def mistakes():
    for machine in MACHINES:
        for mutant in mistakes_of(machine):
            yield pytest.param(machine, mutant, id=f"{machine.kind.__name__}: {mutant.name}")


@pytest.mark.parametrize(("machine", "mutant"), list(mistakes()))
def test_every_mistake_is_found(machine, mutant):
    assert proofs.of_mistake(machine, mutant).problems() == []
