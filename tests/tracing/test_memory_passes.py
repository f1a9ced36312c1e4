"""count_passes against numbers counted by hand. N elements in rows: each assertion spells its sum out."""

import numpy as np
import pytest

from autograder.exercises.softmax import QUESTIONS
from autograder.notebook.questions import is_right
from autograder.tracing.memory_passes import count_passes
from kernels.softmax import log_sum_exp, naive_softmax, safe_softmax

ROWS, LENGTH = 10, 100
N = ROWS * LENGTH
X = np.random.default_rng(0).standard_normal((ROWS, LENGTH)).astype(np.float32)


def moved(function, x=X):
    passes = count_passes(function, x)
    return passes.reads, passes.writes


def test_naive_softmax_is_five_n_and_two_rows():
    passes = count_passes(naive_softmax, X)
    assert passes.rows == [("exp", N, N), ("add.reduce", N, ROWS), ("divide", N + ROWS, N)]
    assert (passes.reads, passes.writes) == (3 * N + ROWS, 2 * N + ROWS)
    assert passes.per_element == (5 * N + 2 * ROWS) / N


def test_safe_softmax_moves_eight_elements_for_each_and_some_per_row():
    passes = count_passes(safe_softmax, X)
    whole = [(name, r // N, w // N) for name, r, w in passes.rows if r >= N]
    finds_max, five = [("maximum.reduce", 1, 0)], [("exp", 1, 1), ("add.reduce", 1, 0), ("divide", 1, 1)]
    assert whole == [*finds_max, ("subtract", 1, 1), *five]
    assert 8 * N < passes.reads + passes.writes < 8 * N + 30 * ROWS


@pytest.mark.parametrize(("name", "function"), [("naive_moves", naive_softmax), ("safe_moves", safe_softmax)])
def test_the_lesson_s_questions_have_the_answers_that_are_counted(name, function):
    question = next(q for q in QUESTIONS if q.name == name)
    counted = count_passes(function, np.ones((10, 1000), np.float32)).per_element
    assert is_right(question, counted)
    assert not is_right(question, counted - 1) and not is_right(question, counted + 1)


def test_log_sum_exp_moves_six():
    reads, writes = moved(log_sum_exp)
    assert (reads // N, writes // N) == (4, 2)


def test_another_way_to_write_it_counts_differently():
    def twice(x):
        return np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)

    def in_place(x):
        y = np.exp(x, out=np.empty_like(x))
        y /= y.sum(axis=-1, keepdims=True)
        return y

    assert moved(twice) == (4 * N + ROWS, 3 * N + ROWS)
    assert moved(in_place) == moved(naive_softmax)


def test_a_loop_over_single_numbers_reads_each_once():
    def loops(x):
        y, l = np.empty_like(x), 0.0
        for value in x:
            l += np.exp(value)
        for i, value in enumerate(x):
            y[i] = np.exp(value) / l
        return y

    assert moved(loops, X[0]) == (2 * LENGTH, LENGTH)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: np.max(x, axis=-1), (N, ROWS)),
        (lambda x: x.sum(), (N, 0)),  # one number stays in a register
        (lambda x: x.argmax(axis=-1), (N, ROWS)),
        (lambda x: np.argmax(x, axis=-1), (N, ROWS)),
        (lambda x: x.astype(np.float64), (N, N)),
        (lambda x: np.where(x > 0, x, 0), (3 * N, 2 * N)),  # x > 0: N and N; where: 2N and N
        (lambda x: x + np.broadcast_to(x[:, :1], x.shape), (N + ROWS, N)),
        (lambda x: np.full_like(x, 2), (0, N)),
        (lambda x: np.subtract(x, 1, out=np.empty_like(x), where=x > 0), (3 * N, 2 * N)),
        (lambda x: x.T @ x, (2 * N, LENGTH * LENGTH)),
        (lambda x: x[:, [0, 1]], (2 * ROWS, 2 * ROWS)),
        (lambda x: x.__setitem__(slice(3), 0), (0, 3 * LENGTH)),
        (lambda x: x[0].T.reshape(-1)[5:], (0, 0)),
        (lambda x: np.expand_dims(np.reshape(x, -1), 0).shape, (0, 0)),
        (lambda x: np.zeros(5) + 1, (0, 0)),  # not made from x
    ],
)
def test_each_kind_of_operation(function, expected):
    assert moved(function) == expected


def test_the_values_are_those_of_plain_numpy_and_x_is_left_alone():
    seen, before = [], X.copy()

    def keeps(x):
        seen.append(np.array(safe_softmax(x)))
        x -= 1

    count_passes(keeps, X)
    assert np.array_equal(seen[0], safe_softmax(X)) and np.array_equal(X, before)


def test_both_tables_show_the_total_and_put_one_kind_of_operation_in_one_line():
    def two(x):
        return np.exp(np.exp(x))

    passes = count_passes(two, X)
    assert str(passes).splitlines()[0] == "two: 4.00 elements moved for each of the 1,000 in x"
    assert [line.split() for line in str(passes).splitlines()[2:]] == [
        ["exp", "2", "2,000", "2,000"],
        ["in", "all", "2", "2,000", "2,000"],
    ]
    assert "<td>exp</td><td>2</td><td>2,000</td><td>2,000</td>" in passes._repr_html_()
    assert "&lt;lambda&gt;" in count_passes(lambda x: x, X)._repr_html_()


@pytest.mark.parametrize("x", [[1.0, 2.0], 3.0, np.empty((0, 4))])
def test_anything_but_an_array_with_elements_is_refused_in_a_sentence(x):
    with pytest.raises(TypeError, match="needs a numpy array x with at least one element"):
        count_passes(naive_softmax, x)
