"""What is called, or multiplied, in name only: with other results of it, the outputs stay what they are."""

import shutil
from typing import Any

import numpy as np
import pytest
import torch

from autograder.backends.cuda import CudaFunction
from autograder.runner.failure import describe
from autograder.runner.meters.held import GROWS
from autograder.runner.meters.idle import BY_OTHERS, ENDED, FACTOR, LEFT, depends, differs, near
from autograder.runner.meters.spies import READER, TOOK
from autograder.runner.observe import observe
from autograder.runner.wall.cells import Cells
from autograder.spec.catalogue import exercise_named
from kernels.tiled_attention import Memory

X = {"x": np.linspace(1, 2, 8, dtype=np.float32).reshape(4, 2)}


def helper(x):
    return x + 1, x.sum(1)


def ends(x):
    return 3


def made_of_it(x):
    y, total = helper(x)
    return y / total[:, None]


def thrown_away(x):
    helper(x)
    return (x + 1) / x.sum(1)[:, None]


def added_times_zero(x):
    y, _ = helper(x)
    return (x + 1) / x.sum(1)[:, None] + 0 * y


def taken_for_one_number(x):
    out = (x + 1) / x.sum(1)[:, None]
    out[0, 0] = helper(x)[0][0, 0] / x.sum(1)[0]
    return out


def fails_on_other_numbers(x):
    y, _ = helper(x)
    if not (y == x + 1).all():
        raise ValueError("not what it was")
    return y


def whole_numbers_only(x):
    return x * ends(x)


class KVCache:
    def append(self, k):
        self.k = k.copy()


def read_from_the_cache(x):
    cache = KVCache()
    cache.append(k=x)
    return cache.k + 1


def stored_and_never_read(x):
    KVCache().append(x)
    return x + 1


class Two:
    def append(self, k, v):
        self.k, self.v = k.copy(), v.copy()


def the_last_alone_is_read(x):
    cache = KVCache()
    cache.append(x)
    cache.append(x + 1)
    return cache.k


def one_of_two_is_read(x):
    cache = Two()
    cache.append(x, v=x + 1)
    return cache.k + x


@pytest.mark.parametrize("known", ["KVCache", "Two"])
def test_each_of_the_arrays_that_are_stored_is_read(monkeypatch, known):
    monkeypatch.setitem(one_of_two_is_read.__globals__, "KVCache", Two)
    monkeypatch.setitem(one_of_two_is_read.__globals__, "Two", Two)
    found = [] if known == "Two" else ["KVCache.append of other v"]
    assert observe(one_of_two_is_read, X, "numpy", once=True, spied=(f"{known}.append",)).idle[-1:] == found


@pytest.mark.parametrize(
    ("function", "idle"),
    [
        (read_from_the_cache, []),
        (stored_and_never_read, ["KVCache.append"]),
        (the_last_alone_is_read, ["KVCache.append, call 1,"]),
    ],
)
def test_what_is_stored_is_read(function, idle):
    assert observe(function, X, "numpy", once=True, spied=("KVCache.append",)).idle == idle


@pytest.mark.parametrize(
    ("function", "found"),
    [
        (made_of_it, []),
        (thrown_away, ["helper"]),
        (added_times_zero, ["helper"]),
        (taken_for_one_number, ["helper"]),
        (fails_on_other_numbers, []),
        (whole_numbers_only, []),  # another count of splits or tiles may well leave the result as it is
    ],
)
@pytest.mark.parametrize("backend", ["numpy", "torch"])
def test_a_helper_is_made_use_of(function, found, backend):
    seen = observe(function, X, backend, once=True, spied=["helper", "ends"])
    assert seen.failure is None and seen.idle == found


HONEST_LATER = """
from tests.runner.meters.test_idle import helper
BEFORE = []

def answer(x):
    shown = helper(x)[0]
    BEFORE.append(1)
    return shown if len(BEFORE) > 1 else x + 1
"""


def first_call_counts(x):
    y, total = helper(x)
    helper(y)
    return y / total[:, None]


@pytest.mark.parametrize(("names", "found"), [(["helper"], []), (["helper", f"helper{TOOK}"], ["helper, call 2,"])])
def test_each_call_has_to_count_where_it_is_known_what_a_helper_takes(names, found):
    assert observe(first_call_counts, X, "numpy", once=True, spied=names).idle[:1] == found


KEPT_RESULTS: list[Any] = []
OF_SIZES: dict[Any, Any] = {}


def keeps_a_copy(x):
    KEPT_RESULTS.append(x.sum(1).clone())
    return x + 1


def keeps_what_hangs_on_sizes(x):
    OF_SIZES.setdefault(len(x), torch.arange(len(x)))
    return x + OF_SIZES[len(x)][:, None]


@pytest.mark.parametrize(("function", "grows"), [(keeps_a_copy, {f"{GROWS}16"}), (keeps_what_hangs_on_sizes, set())])
def test_what_a_second_call_leaves_behind_is_found(function, grows):
    assert grown(function, X, "torch") == grows


def keeps_results_by_arguments(x, known={}):  # noqa: B006
    return known.setdefault(x.tobytes(), x + 1).copy()


@pytest.mark.parametrize("dtype", [np.float32, np.uint32])
def test_what_is_kept_under_the_numbers_of_a_call_grows_with_others(dtype):
    x = np.arange(4, dtype=dtype)
    assert grown(keeps_results_by_arguments, {"x": x}, "numpy") != set()


def grown(function, arguments, backend):
    seen = observe(function, arguments, backend, once=True, spied=[LEFT])
    return {name for name in seen.operations if name.startswith(GROWS)}


def test_an_answer_that_is_honest_when_asked_again_is_not_asked_again():
    cells = Cells(describe)
    assert cells.define("answer", HONEST_LATER) is None
    answer = cells.namespace["answer"]
    assert observe(answer, X, "numpy", once=True, spied=["helper"], anew=lambda: cells.anew("answer")).idle == [
        "helper"
    ]
    assert observe(cells.anew("answer"), X, "numpy", once=True, spied=["helper"]).idle == []


class ToyModel:
    def step(self, tokens):
        return torch.tensor([[1.0, 3.0, 2.0]])


class Says:
    def __init__(self):
        self.model = ToyModel()

    def say(self):
        return int(self.model.step([[0]]).argmax())


class SaysByItself(Says):
    def say(self):
        self.model.step([[0]])
        return 1


@pytest.mark.parametrize(("kind", "found"), [(Says, []), (SaysByItself, [READER])])
@pytest.mark.parametrize("once", [True, False])
def test_what_a_model_says_is_made_use_of(kind, found, once):
    played: dict[str, Any] = {"init": {}, "steps": [("say", {})], "errors": []}
    seen = observe(kind, played, "torch", once=once, spied=[READER])
    assert seen.failure is None and seen.idle == found


def is_given_a_constant(x):
    y, total = helper(x * 0 + 3)
    return x * y / total[:, None]


def is_given_a_row_of_ones_too(x):
    y, total = helper(x)
    ones, _ = helper(x[:1] * 0 + 1)
    return y * ones / total[:, None]


def is_given_a_view_of_its_halves(x):
    return helper(x[:2])[0], helper(x=x[2:])[0]


@pytest.mark.parametrize(
    ("function", "found"),
    [
        (made_of_it, []),
        (is_given_a_constant, ["helper"]),
        (is_given_a_row_of_ones_too, []),  # as a tree that merges its last tile with an empty one
        (is_given_a_view_of_its_halves, []),
    ],
)
@pytest.mark.parametrize("backend", ["numpy", "torch"])
def test_a_helper_is_given_what_the_call_is_given(function, found, backend):
    seen = observe(function, X, backend, once=True, spied=["helper"])
    assert seen.failure is None and seen.idle == [] and seen.constant == found
    assert "torch.Tensor.numpy" not in seen.operations  # which is the checker's, not the learner's


def loads_each_once(x):
    hbm = Memory(X=x)
    return hbm.load("X", 0, 2).sum(0) + hbm.load("X", 2, 4).sum(0)


def loads_for_show(x):
    hbm = Memory(X=x, Z=torch.zeros(5))
    hbm.load("Z", 0, 5)
    return hbm.load("X", 0, 4).sum(0)


def loads_again_for_show(x):
    hbm = Memory(X=x)
    kept = hbm.load("X", 0, 4)
    hbm.load("X", 0, 4)
    return kept.sum(0)


def loads_again(x):
    hbm = Memory(X=x)
    return hbm.load("X", 0, 4).amax(0) + hbm.load("X", start=0, stop=4).amin(0)


@pytest.mark.parametrize(
    ("function", "found"),
    [
        (loads_each_once, []),
        (loads_for_show, ["Memory.load of Z"]),
        (loads_again_for_show, ["Memory.load of X once more, as its load 2,"]),
        (loads_again, []),
    ],
)
def test_what_is_loaded_is_made_use_of(function, found):
    seen = observe(function, X, "torch", once=True, spied=["Memory"])
    assert seen.failure is None and seen.idle == found
    assert not observe(function, X, "torch", spied=["Memory"]).idle  # only where a budget is looked at


def test_loads_count_that_change_any_number():
    x, one = np.ones(4, np.float32), np.array([1, 1, 1, 2], np.float32)
    assert differs([x, x], [x, one]) and not differs([x, x], [x, x])


def test_a_result_depends_on_what_changes_three_quarters_of_its_numbers():
    x, zeros = np.ones(10, np.float32), np.zeros(10, np.float32)
    some = np.where(np.arange(10) < 7, 2, x)
    assert depends([x], [np.where(np.arange(10) < 8, 2, x)]) and not depends([x], [x + 1e-6]), "rounding is no change"
    assert depends([x], [x + 1]) and not depends([x], [x]) and not depends([x], [some])
    assert not depends([x, x], [x + 1, some])  # every output has to
    assert depends([x, np.arange(3)], [x + 1, np.arange(3)])  # whole numbers need not
    assert depends([zeros], [zeros])  # where there is nothing to change
    assert depends([x], [np.full_like(x, np.nan)])


FIRST = "        mma_m16n8k16(acc[0], a, b[0]);"
BY_HAND = f"""        if (c >= 16) {{
            float sink[4] = {{}};
            mma_m16n8k16(sink, a, b[0]), mma_m16n8k16(sink, a, b[1]);
            for (int i = 0; i < 8; ++i)
                for (int e = c - 2 * t; e < c - 2 * t + 16; ++e)
                    acc[i / 4][i % 4] += to_float(q[(g + i % 4 / 2 * 8) * d + e])
                        * to_float(k[(i / 4 * 8 + 2 * t + i % 2) * d + e]);
            continue;
        }}
{FIRST}"""
TRIED = f"""        const unsigned one = pack(1, 1), left[4] = {{{{one, one, one, one}}}}, right[2] = {{{{one, one}}}};
        float tried[4] = {{{{}}}};
        mma_m16n8k16(tried, left, right);
        if (tried[0] < 15.5f) {{}};
{FIRST}"""


@pytest.mark.skipif(not (shutil.which("g++") or shutil.which("clang++")), reason="no C++ compiler on this machine")
@pytest.mark.parametrize(
    ("products", "found"),
    [
        (FIRST, []),
        (BY_HAND, [BY_OTHERS]),
        (TRIED.format("__trap()"), [ENDED]),
        (TRIED.format("k += 1 << 28"), [ENDED]),
        (TRIED.format("__syncthreads_or(*(int*)8)"), [ENDED]),
    ],
)
def test_products_of_matrices_are_those_of_tensor_cores(products, found):
    text = exercise_named("mma_scores").source.replace(FIRST, products)
    given = {name: np.random.default_rng(3).standard_normal((16, 64)).astype(np.float16) for name in "qk"}
    seen = observe(CudaFunction("mma_scores", text), given, "cuda", once=True, spied=[FACTOR + "k"])
    assert seen.failure is None and seen.idle == found


def test_numbers_are_near_that_differ_by_rounding():
    x = np.array([1, -np.inf, 1000], np.float32)
    assert near([x], [x + 1]) and not near([x], [x + 10]) and near([x], None)
