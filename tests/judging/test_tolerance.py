"""The value rule: bounds from the plain error and the rounding floor, and what it says of a wrong answer."""

import warnings

import numpy as np
import pytest
import torch

from autograder.judging.rounding import OneAfterAnother, Shaken, plain_runs
from autograder.judging.tolerance import absolute_error, compare, expect
from autograder.runner.arrays import BFLOAT16
from autograder.spec.exercise import Output, Tolerance
from kernels import reference

F32 = np.dtype(np.float32)


def expected(truth, plain=None, factor=2.0, **output):
    truth = np.asarray(truth, dtype=np.float64)
    plain = truth.astype(np.float32) if plain is None else plain
    return expect(Output("O", **output), truth, [plain], Tolerance(factor=factor), F32)


def test_the_bound_is_factor_times_plain_error_plus_rounding_floor():
    truth = np.array([1.0, 2.0, 3.0])
    plain = (truth + 1e-3).astype(np.float32)
    bound = expected(truth, plain).max_bound
    rounding = np.abs((truth.astype(np.float32) + np.float32(0.3) - np.float32(0.3)).astype(np.float64) - truth).max()
    assert bound == pytest.approx(2 * np.abs(plain - truth).max() + 2 * rounding)
    assert expected(truth, plain, factor=3.0).max_bound == pytest.approx(bound + np.abs(plain - truth).max())


@pytest.mark.parametrize("dtype", ["float32", "float16", BFLOAT16])
@pytest.mark.parametrize("size", [1e-2, 1e-5, 1e-7])
def test_zeros_do_not_pass_where_all_numbers_are_small_and_rounded_ones_do(dtype, size):
    truth = size * np.linspace(0.5, 1, 50)
    want = expect(Output("O"), truth, [truth], Tolerance(), np.dtype(dtype))
    assert compare(truth.astype(dtype), want).ok
    assert not compare(np.zeros_like(truth, dtype), want).ok


def test_an_answer_within_the_bound_passes_and_one_beyond_it_does_not():
    truth = np.linspace(-1, 1, 50)
    want = expected(truth, (truth + 1e-5 * (-1) ** np.arange(50)).astype(np.float32))
    near, far = truth.copy(), truth.copy()
    near[7] += 1.9e-5
    far[7] += 2.3e-5
    assert compare(near.astype(np.float32), want).ok
    wrong = compare(far.astype(np.float32), want)
    assert not wrong.ok and wrong.worst == (7,) and "off by" in wrong.message


def test_many_small_errors_fail_by_the_mean_where_no_single_one_does():
    truth = np.linspace(-1, 1, 1000)
    plain = truth.copy()
    plain[0] += 1e-4
    want = expected(truth, plain.astype(np.float32))
    wrong = compare((truth + 1e-5).astype(np.float32), want)
    assert not wrong.ok and "on average" in wrong.message


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_nothing_but_a_finite_number_passes_where_the_truth_is_finite(bad):
    got = np.array([1.0, bad], dtype=np.float32)
    assert not compare(got, expected([1.0, 2.0])).ok


def test_a_signalling_nan_is_wrong_without_a_warning():
    got = np.array([1.0, 2.0], dtype=np.float32)
    got.view(np.uint32)[1] = 0x7F800001  # as it may lie in memory that was never written
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        wrong = compare(got, expected([1.0, 2.0]))
    assert not wrong.ok and wrong.message == "O[1] is NaN (1 of 2 are); expected 2"
    assert compare(np.asarray(np.nan), expected(1.5)).message == "O is NaN; expected 1.5"


def test_an_infinite_truth_asks_for_the_same_infinity():
    want = expected([1.0, -np.inf])
    assert compare(np.array([1.0, -np.inf], np.float32), want).ok
    for wrong in (np.inf, -3e38, np.nan):
        assert not compare(np.array([1.0, wrong], np.float32), want).ok


def test_a_number_that_the_dtype_has_as_0_is_said_to_be_one():
    wrong = compare(np.array([np.nan, 2], np.float32), expected([1e-60, 2.0]))
    assert wrong.message == "O[0] is NaN (1 of 2 are); expected 1e-60, which float32 rounds to 0"


def test_of_weights_what_is_0_is_no_small_number():
    truth, close = [0.75, 0.25, 0.0], np.array([0.75, 0.25, 1e-9], np.float32)
    assert compare(close, expected(truth)).ok
    wrong = compare(close, expected(truth, has_zeros=True))
    assert not wrong.ok and wrong.worst == (2,)
    assert wrong.message == "O[2] is 1e-09; expected 0: what is hidden weighs nothing"
    assert compare(np.array([0.75, 0.25, -0.0], np.float32), expected(truth, has_zeros=True)).ok
    assert "allowed" in compare(close + np.float32(0.1), expected(truth, has_zeros=True)).message


def test_anything_may_stand_where_a_buffer_holds_nothing_and_nowhere_else():
    truth = [1.0, np.nan, 3.0]
    want = expected(truth, has_gaps=True)
    for empty in (0.0, np.nan, np.inf):
        assert compare(np.array([1, empty, 3], np.float32), want).ok
        assert not compare(np.array([1, empty, 3], np.float32), expected(truth)).ok
    assert "O[2] is NaN (1 of 3 are); expected 3" in compare(np.array([1, np.nan, np.nan], np.float32), want).message
    assert not compare(np.array([1, 0, 2], np.float32), want).ok


def test_shape_and_dtype_are_part_of_the_answer():
    want = expected([[1.0, 2.0]])
    assert "shape" in compare(np.array([1.0, 2.0], np.float32), want).message
    assert "dtype" in compare(np.array([[1.0, 2.0]], np.float64), want).message
    assert "dtype" in compare(np.array([[1, 2]], np.int64), want).message
    assert compare(np.asarray(1.5), expected(1.5)).ok  # a Python float for a single number


def test_indices_are_compared_exactly():
    want = expected([3, 1, -1], dtype="int64", exact=True)
    want.truth = want.truth.astype(np.int64)
    assert compare(np.array([3, 1, -1]), want).ok
    wrong = compare(np.array([3, 2, -1]), want)
    assert not wrong.ok and wrong.message == "O[1] is 2; expected 1"


def test_absolute_error_of_equal_infinities_is_zero():
    inf = np.array([np.inf, -np.inf, np.inf, np.nan])
    assert absolute_error(inf, np.array([np.inf, -np.inf, 1.0, np.nan])).tolist() == [0, 0, np.inf, np.inf]


def test_sums_one_after_another_round_as_a_loop_does():
    torch.manual_seed(0)
    x, y = torch.rand(3, 4000), torch.rand(4000, 2)
    orders = [np.arange(4000), np.arange(4000)[::-1], np.random.default_rng(2).permutation(4000)]
    for run, order in enumerate(orders):
        loop, product = torch.zeros(3), torch.zeros(3, 2)
        for k in order:
            loop = loop + x[:, k]
            product = product + x[:, k, None] * y[None, k]
        with OneAfterAnother(run):
            assert torch.equal(x.sum(dim=-1, keepdim=True), loop[:, None])
        with OneAfterAnother(run):
            assert torch.equal(x @ y, product)
        assert not torch.equal(x.sum(dim=-1), loop)  # torch's own way rounds otherwise


def test_shaken_arithmetic_moves_results_by_a_unit_in_the_last_place_and_nothing_else():
    x = torch.linspace(0.5, 3, 1000)
    with Shaken(0):
        e, m = torch.exp(x), torch.maximum(x, x.flip(0))
    off = (e / torch.exp(x) - 1).abs() / torch.finfo(torch.float32).eps
    assert 0.5 < (off > 0).float().mean() < 0.8 and off.max() <= 1.5
    assert torch.equal(m, torch.maximum(x, x.flip(0)))
    with Shaken(0):
        assert torch.equal(torch.exp(torch.tensor([-torch.inf])), torch.zeros(1))


def errors_of(oracle, truth, *runs, **given):
    return [abs(float(run - truth)) for run in plain_runs(lambda given: oracle(**given), given, *runs)]


def test_a_formula_that_happens_to_be_exact_still_leaves_room():
    truth = torch.exp(torch.zeros(1))  # exactly 1
    errors = errors_of(torch.exp, truth, 6, input=torch.zeros(1))
    assert max(errors) == torch.finfo(torch.float32).eps
    assert errors == errors_of(torch.exp, truth, 6, input=torch.zeros(1))


def test_an_oracle_that_only_moves_numbers_runs_once():
    x = torch.arange(4.0)
    assert len(plain_runs(lambda given: given["x"][[2, 0]].flip(0), {"x": x}, 6)) == 1
    for sums in (lambda given: given["x"][None] @ given["x"][:, None], lambda given: given["x"].sum(dim=0)):
        assert len(plain_runs(sums, {"x": x}, 6)) == 12


def test_mathematics_that_rounds_a_large_score_once_more_is_right():
    x = torch.tensor([200.0, 199.3, 198.9])
    truth = reference.softmax(x.double())[0]
    others = torch.exp2(x * np.log2(np.e) - (x * np.log2(np.e)).max()), torch.exp(x - torch.logsumexp(x, 0))
    allowed = 2 * max(errors_of(lambda x: reference.softmax(x)[0], truth, 24, x=x))
    assert 1e-7 < max(abs(float(p[0] / p.sum() - truth)) for p in others) < allowed < 1e-4


def test_sums_in_16_bits_err_by_more_than_products_of_16_bit_numbers_in_32():
    rng = np.random.default_rng(0)
    p, v = torch.from_numpy(rng.random((1, 512), np.float32)), torch.from_numpy(rng.random((512, 8), np.float32))
    p, v = p / p.sum(), v.half().float()
    truth = p.double() @ v.double()
    runs = plain_runs(lambda given: given["p"] @ given["v"], {"p": p, "v": v}, 6, torch.float16)
    allowed = 2 * max(float((run - truth).abs().max()) for run in runs)
    narrow = torch.zeros(1, 8, dtype=torch.float16)
    for i in range(512):
        narrow += p[:, i : i + 1].half() * v[i : i + 1].half()
    assert 0 < float((p.half().float() @ v - truth).abs().max()) < allowed < float((narrow - truth).abs().max())


def test_where_a_tensor_without_axes_is_promised_its_dtype_is_part_of_the_answer():
    number = expect(Output("loss"), np.array(3.0), [np.array(3.0)], Tolerance(), F32)
    tensor = expect(Output("loss", is_tensor=True), np.array(3.0), [np.array(3.0)], Tolerance(), F32)
    for got in (np.asarray(3.0), np.float16(3), np.asarray(3)):
        assert not compare(np.asarray(got), tensor).ok
    assert compare(np.asarray(3.0), number).ok and compare(np.array(3, np.float32), tensor).ok
    assert compare(np.asarray(3.0), tensor).message == (
        "loss has dtype float64, as Python's numbers do; expected a tensor of float32"
    )


def test_a_single_number_of_another_kind_is_said_in_words():
    want = expect(Output("blocks", "int64", exact=True), np.array(3.0), [np.array(3.0)], Tolerance(), np.dtype("int64"))
    assert compare(np.array(3.0), want).message == "blocks is a float; a whole number (int) is wanted"
