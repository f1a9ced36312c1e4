"""Programs of a grid that need each other's results are right one after the other, and wrong on a GPU."""

import pytest
import torch

from autograder.spec import interpreter

interpreter.choose()
triton = pytest.importorskip("triton", reason="Triton is not installed on this machine")

import triton.language as tl  # noqa: E402

from autograder.runner.engines.triton import interpreted  # noqa: E402
from autograder.runner.meters.races import launch_index  # noqa: E402
from autograder.runner.meters.traffic import Traffic, install  # noqa: E402
from autograder.runner.observe import observe  # noqa: E402
from autograder.runner.observe.call import called_again  # noqa: E402

pytestmark = pytest.mark.skipif(not interpreted(), reason="kernels are compiled here: this machine has a GPU")


@triton.jit
def carries_over(x_ptr, y_ptr, n):
    """A running sum: each program adds to what the one before it has stored."""
    me = tl.program_id(0)
    before = tl.load(y_ptr + me - 1, mask=me > 0, other=0.0)
    tl.store(y_ptr + me, before + tl.load(x_ptr + me))


@triton.jit
def adds_up(x_ptr, y_ptr, n):
    """Each program adds its number to one sum."""
    tl.store(y_ptr, tl.load(y_ptr) + tl.load(x_ptr + tl.program_id(0)))


@triton.jit
def last_one_wins(x_ptr, y_ptr, n):
    tl.store(y_ptr, tl.load(x_ptr + tl.program_id(0)))


@triton.jit
def shifts_in_place(x_ptr, y_ptr, n):
    me = tl.program_id(0)
    tl.store(x_ptr + me, tl.load(x_ptr + me + 1, mask=me < n - 1, other=0.0))


@triton.jit
def overlapping_tiles(x_ptr, y_ptr, n):
    """The last tile is moved back to end with the vector, so that some elements are stored twice, alike."""
    at = tl.minimum(tl.program_id(0) * 4, n - 4) + tl.arange(0, 4)
    tl.store(y_ptr + at, tl.load(x_ptr + at))


@triton.jit
def in_place(x_ptr, y_ptr, n):
    me = tl.program_id(0)
    tl.store(x_ptr + me, 2 * tl.load(x_ptr + me))


@triton.jit
def atomics(x_ptr, y_ptr, n):
    tl.atomic_add(y_ptr, tl.load(x_ptr + tl.program_id(0)))


@triton.jit
def muted(x_ptr, y_ptr, n):
    """A sum by plain loads and stores, with an atomic that nobody waits for."""
    tl.atomic_add(y_ptr, 0.0)
    tl.store(y_ptr, tl.load(y_ptr) + tl.load(x_ptr + tl.program_id(0)))
    tl.atomic_add(y_ptr, 0.0)


@triton.jit
def with_a_lock(x_ptr, y_ptr, lock_ptr, n):
    """The same, one after the other; what is stored outside of the lock is each program's own."""
    me = tl.program_id(0)
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:
        pass
    tl.store(y_ptr, tl.load(y_ptr) + tl.load(x_ptr + me))
    tl.atomic_xchg(lock_ptr, 0)
    tl.store(x_ptr + me, 0.0)


@triton.jit
def last_adds_up(x_ptr, y_ptr, lock_ptr, n):
    """Each program leaves a number; the one that is done last adds them up."""
    me = tl.program_id(0)
    tl.store(x_ptr + me, 2 * tl.load(x_ptr + me))
    if tl.atomic_add(lock_ptr, 1) == n - 1:
        at = tl.arange(0, 8)
        tl.store(y_ptr, tl.sum(tl.load(x_ptr + at, mask=at < n, other=0.0)))


@triton.jit
def locks_too_late(x_ptr, y_ptr, lock_ptr, n):
    tl.atomic_add(lock_ptr, 1)
    tl.store(y_ptr, tl.load(y_ptr) + tl.load(x_ptr + tl.program_id(0)))


def outcome(kernel, programs=6, n=6):
    def answer(x):
        y = torch.zeros_like(x)
        locks = (torch.zeros(1, dtype=torch.int32),) if "lock_ptr" in kernel.arg_names else ()
        kernel[(programs,)](x, y, *locks, n)
        return y

    assert install()
    x = (torch.arange(6) + 1).float().numpy()
    return observe(answer, {"x": x}, "triton", once=True).failure


@pytest.mark.parametrize(
    ("kernel", "said"),
    [
        (carries_over, "program 1 loads what program 0 has stored"),
        (adds_up, "program 1 loads what program 0 has stored"),
        (muted, "program 1 loads what program 0 has stored"),
        (locks_too_late, "program 1 loads what program 0 has stored"),
        (last_one_wins, "program 1 changes what program 0 has stored"),
    ],
)
def test_a_race_is_named_with_its_line(kernel, said):
    failure = outcome(kernel)
    assert failure.kind == "Race" and said in failure.message and "tl." in failure.text


def test_what_was_loaded_by_another_is_not_changed():
    """Backwards: each program reads its right neighbour before that changes it, in this order only."""
    failure = outcome(shifts_in_place)
    assert failure.kind == "Race" and "changes what" in failure.message


@pytest.mark.parametrize(
    ("kernel", "programs"),
    [(overlapping_tiles, 2), (in_place, 6), (atomics, 6), (with_a_lock, 6), (last_adds_up, 6)],
)
def test_programs_that_do_not_depend_on_each_other_are_left_alone(kernel, programs):
    assert outcome(kernel, programs) is None


def test_each_launch_begins_anew():
    x, y = torch.ones(6), torch.zeros(6)
    with Traffic():
        for _ in range(2):
            last_one_wins[(1,)](x, y, 6)
            overlapping_tiles[(2,)](y, x, 6)


def test_an_index_has_as_many_axes_as_are_used():
    assert [launch_index(p) for p in [(3, 0, 0), (0, 2, 0), (1, 0, 5)]] == ["3", "(0, 2)", "(1, 0, 5)"]


def test_races_are_looked_for_unless_a_call_is_made_again_for_its_values():
    assert install()
    x, y = torch.ones(4), torch.zeros(4)
    with pytest.raises(Exception, match="in the same launch"):
        carries_over[(4,)](x, y, 4)
    with called_again():
        carries_over[(4,)](x, y, 4)
        with pytest.raises(Exception, match="outside"):  # and that is what no call may do
            carries_over[(5,)](x, y, 5)
        with Traffic() as traffic, pytest.raises(Exception, match="in the same launch"):
            carries_over[(4,)](x, y, 4)
    assert y.tolist() == [1, 2, 3, 4] and traffic.launches == 1
    with pytest.raises(Exception, match="in the same launch"):
        carries_over[(4,)](torch.zeros(4), torch.ones(4), 4)
