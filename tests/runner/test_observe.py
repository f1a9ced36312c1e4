"""One call, observed: what came back, what it used, what it broke."""

import builtins
import contextlib
import functools
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

from autograder.runner.arrays import Earlier, Stream, copy_argument, copy_with_strides, items_of, same_bits
from autograder.runner.meters.operations import OperatorsAndBytes
from autograder.runner.observe import observe
from autograder.runner.observe.call import with_other_numbers
from autograder.spec import interpreter

interpreter.choose()


def x():
    return np.arange(12, dtype=np.float32).reshape(3, 4)


def test_outputs_are_plain_arrays_and_the_function_gets_its_own_copy():
    given = x()
    seen = observe(lambda x: (x * 2, x.sum()), {"x": given}, "numpy")
    assert [o.tolist() for o in seen.outputs] == [(given * 2).tolist(), 66.0]
    assert not seen.inputs_changed and seen.failure is None


LARGE = {
    "17,592,186,044,416 bytes": lambda x: np.broadcast_to(x[:1, :1], (1 << 21, 1 << 21)),
    "17,592,186,044,416 bytes ": lambda x: torch.zeros(1).expand(1 << 21, 1 << 21),
    "10,001 arrays or numbers": lambda x: [0.0] * 10_001,
    "an array of 9 axes": lambda x: np.ones((1,) * 9),
    "an array of 40 axes ": lambda x: torch.ones((1,) * 40),
    "an empty array with an axis of 1,099,511,627,777": lambda x: np.empty((0, (1 << 40) + 1), dtype=np.float32),
    "an empty array with an axis of 1,099,511,627,777 ": lambda x: torch.empty(((1 << 40) + 1, 0)),
}


@pytest.mark.parametrize("said", LARGE)
def test_what_is_larger_than_anything_expected_is_not_copied(said):
    backend = "torch" if said.endswith(" ") else "numpy"
    failure = observe(LARGE[said], {"x": x()}, backend).failure
    assert (failure.kind, failure.message) == ("TooLarge", f"{said.strip()} came back, many times what is expected")


def test_changed_inputs_are_noticed_and_the_checkers_own_stay_as_they_were():
    given = x()

    def spoils(x):
        x -= x.max()
        return x

    assert observe(spoils, {"x": given}, "numpy").inputs_changed
    assert observe(spoils, {"x": given}, "torch").inputs_changed
    assert same_bits(given, x())


def test_inputs_that_are_put_back_have_been_changed_and_those_written_as_they_were_have_not():
    def puts_back(x):
        old = x[0].clone()
        x[0] = 7.0
        y = x.sum()
        x.data[0] = old
        return y

    def writes_nothing_new(x):
        x[x < -1] = 0
        return x.mul_(1).sum()

    nan = x()
    nan[1, 1] = np.nan
    assert observe(puts_back, {"x": x()}, "torch").inputs_changed
    assert not observe(writes_nothing_new, {"x": nan}, "torch").inputs_changed


@pytest.mark.parametrize("backend", ["numpy", "torch"])
def test_a_list_that_a_first_call_empties_is_whole_in_the_second(backend):
    """Which would otherwise tell of numbers that no case has."""
    calls = []

    def sums(x, order):
        calls.append(len(order))
        return x[0] * sum(order.pop() for _ in range(len(order)))

    seen = observe(sums, {"x": x(), "order": [1, 2, 3]}, backend)
    assert calls == [3, 3] and seen.inputs_changed
    assert seen.outputs is not None and np.array_equal(seen.outputs[0], 6 * x()[0])


@pytest.mark.parametrize("backend", ["numpy", "torch"])
def test_of_a_call_for_its_values_nothing_is_counted(backend):
    """But it is made as any other is: a small one twice."""
    calls = []

    def doubled(x):
        calls.append(x)
        return 2 * x

    seen = observe(doubled, {"x": x()}, backend, values_only=True)
    assert len(calls) == 2 and seen.counts == {} and seen.operations == {}
    assert seen.outputs is not None and np.array_equal(seen.outputs[0], 2 * x())
    assert observe(doubled, {"x": x()}, backend).counts


def test_an_answer_that_spoils_a_list_only_once_is_found_out():
    calls: list[int] = []

    def sums(x, order):
        calls.append(order.pop() if not calls else 0)
        return x

    assert observe(sums, {"x": x(), "order": [1, 2, 3]}, "torch").inputs_changed


def test_copies_keep_the_strides():
    for given in (x().T, x()[:, ::2], np.broadcast_to(np.float32(3), (2, 2))[:1, :1]):
        copy = copy_with_strides(given)
        assert copy.strides == given.strides and np.array_equal(copy, given)
        assert not np.shares_memory(copy, given)


def test_a_stream_can_be_read_once():
    def twice(stream):
        return float(sum(stream)) + float(sum(stream))

    seen = observe(twice, {"stream": Stream([np.float32(1), np.float32(2)])}, "numpy")
    assert seen.failure.kind == "RuntimeError" and "second time" in seen.failure.message
    once = observe(lambda stream: float(sum(stream)), {"stream": Stream([np.float32(1)])}, "numpy")
    assert once.outputs and once.outputs[0] == 1
    assert list(items_of(copy_argument(Stream([1, 2])))) == [1, 2]


def test_memory_that_is_kept_between_calls_that_read_streams_is_seen():
    kept = np.zeros(2)

    def total(stream):
        kept[:] = sum(stream)
        return kept

    assert observe(total, {"stream": Stream([np.ones(2)])}, "numpy").shared == ["r"]
    assert observe(lambda stream: sum(stream), {"stream": Stream([np.ones(2)])}, "numpy").shared == [""]


def test_earlier_tokens_are_attended_to_once_and_by_each_kv_head_once():
    q, (k, v), past = torch.randn(1, 4, 2, 8), torch.randn(2, 1, 2, 2, 8), torch.randn(2, 1, 2, 3, 8)
    keys, values = (torch.cat(pair, dim=2).repeat_interleave(2, dim=1) for pair in zip(past, (k, v)))
    seen = torch.ones(2, 5, dtype=torch.bool).tril(3)
    attend = Earlier(past)
    expected = torch.nn.functional.scaled_dot_product_attention(q, keys, values, attn_mask=seen)
    assert torch.allclose(attend(q, k, v), expected, atol=1e-6)
    with pytest.raises(RuntimeError, match="second time"):
        attend(q, k, v)
    assert copy_argument(attend)(q, k, v).shape == q.shape  # a copy is asked anew
    with pytest.raises(ValueError, match=r"is given v \(1, 4, 2, 8\)"):
        Earlier(past)(q, k, v.repeat_interleave(2, dim=1))


class Liar(np.ndarray):
    def __eq__(self, other):
        return True


@pytest.mark.parametrize(
    "answer", [None, "7", [[1.0]], {"O": 1}, object(), np.array(["a"]), np.array([None]), x().view(Liar), 1j]
)
def test_what_is_no_plain_array_is_refused_by_name(answer):
    seen = observe(lambda: answer, {}, "numpy")
    assert seen.outputs is None and seen.failure.kind == "TypeError" and "expected" in seen.failure.message


class Pair(NamedTuple):
    first: Any
    second: Any


class LyingPair(tuple[Any, ...]):
    def __iter__(self):
        return iter([np.zeros(3), np.zeros(3)])

    def __len__(self):
        return 7


class Queue(list[Any]):
    pass


@pytest.mark.parametrize("kind", [lambda items: Pair(*items), LyingPair, Queue])
def test_results_come_in_a_tuple_or_a_list_of_any_class_which_has_no_say_in_what_they_are(kind):
    seen = observe(lambda: kind([np.ones(3), x()]), {}, "numpy")
    assert [output.tolist() for output in seen.outputs] == [[1, 1, 1], x().tolist()]
    of_ranks = observe(lambda x: kind([x[0], x]), {"x": [np.ones(2), np.zeros(2)]}, "ranks", once=True)
    assert [output.tolist() for output in of_ranks.outputs] == [1, [1, 1], 0, [0, 0]]
    of_torch = observe(lambda x: torch.max(x, dim=0), {"x": np.array([1.0, 3, 2])}, "torch")
    assert [output.tolist() for output in of_torch.outputs] == [3, 1]


def test_torch_functions_get_tensors_that_keep_strides_and_give_tensors():
    import torch

    seen = observe(lambda q: q.stride(), {"q": x().T}, "torch")
    assert [int(o) for o in seen.outputs] == [1, 4]
    squared = observe(lambda q: q @ q.T, {"q": x()}, "torch")
    assert [o.shape for o in squared.outputs] == [(3, 3)]

    class Lazy(torch.Tensor):
        pass

    assert observe(lambda q: q.as_subclass(Lazy), {"q": x()}, "torch").failure


def test_a_crash_names_the_learners_last_line():
    def outer(x):
        return inner(x)

    def inner(x):
        return np.linalg.inv(x)  # a 3 x 4 matrix has no inverse

    seen = observe(outer, {"x": x()}, "numpy")
    assert seen.failure.kind == "LinAlgError" and seen.failure.function == "inner"
    assert seen.failure.text.startswith("return np.linalg.inv(x)")


EARLIER = """


def earlier(x):
    for _ in range(20):
        y = x + 1
    return y @ y.T
"""


def another_cell(**names):
    """What an earlier cell defines, whose lines are none of the answer's."""
    exec(compile(EARLIER, "<another cell>", "exec"), names)
    return names["earlier"]


@pytest.mark.parametrize("decorated", [lambda function: function, torch.no_grad()])
@pytest.mark.parametrize(
    ("backend", "meters"), [("numpy", ["peak_bytes"]), ("torch", ["peak_bytes", "operators", "computed"])]
)
def test_of_what_an_earlier_answer_does_the_line_that_calls_it_is_named(backend, meters, decorated):
    earlier = another_cell()

    def answer(x):
        few = x[:1] + 1
        many = earlier(x)
        return many + few.sum()

    seen = observe(decorated(answer), {"x": np.ones((200, 200), np.float32)}, backend)
    called = answer.__code__.co_firstlineno + 2
    assert [seen.lines[meter] for meter in meters] == [called] * len(meters)
    assert backend == "numpy" or seen.operations["aten.mm.default"] == called


def test_of_a_kernel_of_an_earlier_answer_the_line_that_calls_it_is_named():
    vector_add = pytest.importorskip("kernels.triton_kernels").vector_add

    def answer(x):
        return vector_add(x, x)

    seen = observe(answer, {"x": np.ones(5000, np.float32)}, "triton")
    meters = ("loaded_bytes", "programs", "peak_bytes")
    if seen.on_gpu:
        pytest.skip("a GPU counts nothing")
    assert {seen.lines[meter] for meter in meters} == {answer.__code__.co_firstlineno + 1}


def test_nobody_is_asked_to_type():
    def asks(x):
        return x * float(input("a number: "))

    before = builtins.input
    failure = observe(asks, {"x": x()}, "numpy").failure
    assert failure.kind == "EOFError" and failure.message.startswith("input() waits for somebody to type")
    assert failure.text == 'return x * float(input("a number: "))' and builtins.input is before


def test_who_asks_for_a_gpu_is_told_that_none_is_needed():
    def asserts(x):
        assert x.is_cuda
        return x

    def asks(x):
        return torch.device("cuda", torch.cuda.current_device()), x

    assert "no GPU is needed" in observe(asserts, {"x": x()}, "torch").failure.message
    if not torch.cuda.is_available():
        assert "no GPU is needed" in observe(asks, {"x": x()}, "torch").failure.message


@pytest.mark.parametrize("error", [SystemExit(0), GeneratorExit(), RecursionError("deep"), MemoryError()])
def test_nothing_that_the_function_raises_gets_out(error):
    def raises():
        raise error

    assert observe(raises, {}, "numpy").failure.kind == type(error).__name__


def test_an_interrupt_by_the_learner_does():
    def interrupted():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        observe(interrupted, {}, "numpy")


def test_an_exception_that_lies_about_its_message_is_survived():
    class Nasty(Exception):
        def __str__(self):
            raise ValueError

    def raises():
        raise Nasty

    assert "could not be read" in observe(raises, {}, "numpy").failure.message


def test_the_meter_counts_bytes_lines_and_names_the_line_of_the_peak():
    def hungry(n):
        small = np.zeros(n, dtype=np.float32)
        big = np.zeros(100 * n, dtype=np.float32)
        total = 0.0
        for _ in range(10):
            total += 1.0
        return small.sum() + big.sum() + total

    observe(hungry, {"n": 1}, "numpy", once=True)  # the first call fills Python's own caches
    seen = observe(hungry, {"n": 1000}, "numpy", once=True)
    assert 404_000 <= seen.counts["peak_bytes"] < 410_000
    assert seen.lines["peak_bytes"] == hungry.__code__.co_firstlineno + 2
    assert seen.counts["steps"] == 5 + 2 * 10  # the loop's head is reached once more than its body


@pytest.mark.parametrize("loop", [lambda x: np.apply_along_axis(np.max, 1, x), lambda x: np.array([*map(np.max, x)])])
def test_a_loop_of_a_librarys_has_steps(loop):
    counts = [observe(loop, {"x": np.zeros((n, 2))}, "numpy", once=True).counts["steps"] for n in (100, 200)]
    assert counts[1] - counts[0] >= 25


def test_torch_memory_counts_live_storages_not_views():
    import torch

    def scores(q):
        s = q @ q.transpose(0, 1)
        view = s.view(-1)
        del s
        return torch.exp(view).sum()

    n = 200
    seen = observe(scores, {"q": np.ones((n, 4), np.float32)}, "torch", once=True)
    assert 2 * n * n * 4 <= seen.counts["peak_bytes"] < 2 * n * n * 4 + 1000
    assert seen.lines["peak_bytes"] in (scores.__code__.co_firstlineno + 1, scores.__code__.co_firstlineno + 4)

    def chunked(q):
        total = torch.zeros(())
        for row in q.split(10):
            total = total + torch.exp(row @ q.transpose(0, 1)).sum()
        return total

    assert observe(chunked, {"q": np.ones((n, 4), np.float32)}, "torch").counts["peak_bytes"] < 5 * 10 * n * 4


def test_torch_operations_are_counted_but_for_views():
    def by_rows(q):
        return sum((q[i : i + 1].T * 2).sum() for i in range(len(q)))

    def at_once(q):
        return (q.T * 2).sum()

    counts = [observe(f, {"q": np.ones((6, 4), np.float32)}, "torch", once=True) for f in (by_rows, at_once)]
    assert [seen.counts["operators"] for seen in counts] == [6 * 3, 2]  # a product, a sum, and adding it up
    assert counts[0].lines["operators"] == by_rows.__code__.co_firstlineno + 1


@pytest.mark.parametrize(
    "product",
    [
        lambda q: q @ q.T,
        lambda q: torch.einsum("ic,jc->ij", q, q),
        lambda q: torch.mm(q, q.T, out=torch.empty(6, 6)),
        lambda q: torch.zeros(6, 6).addmm_(q, q.T),
    ],
    ids=["matmul", "einsum", "out", "in place"],
)
def test_multiplications_of_matrix_products_are_counted(product):
    seen = observe(product, {"q": np.ones((6, 4), np.float32)}, "torch", once=True)
    assert seen.counts["products"] == 6 * 6 * 4 and seen.counts["product_calls"] == 1
    assert seen.counts["product_rows"] == 6


@pytest.mark.parametrize(
    ("product", "of_a_head"),
    [
        (lambda q, k: q @ k.transpose(1, 2), 6 * 5 * 4),
        (lambda q, k: q[:1] @ k[:1].transpose(1, 2), 6 * 5 * 4),  # head by head
        (lambda q, k: torch.addbmm(torch.zeros(6, 5), q, k.transpose(1, 2)), 2 * 6 * 5 * 4),
        (lambda q, k: q[:1, :2].view(2, 1, 4).transpose(0, 1) @ k.view(1, 10, 4).transpose(1, 2), 2 * 10 * 4),
        (lambda q, k: torch.cat([q, q]) @ torch.cat([k, k]).transpose(1, 2), 2 * 6 * 5 * 4),  # two tiles as a batch
        (lambda q, k: torch.einsum("hid,hid->hi", q, q), 0),
    ],
)
def test_the_largest_product_is_that_of_a_head(product, of_a_head):
    given = {"q": np.ones((2, 6, 4), np.float32), "k": np.ones((2, 5, 4), np.float32)}
    assert observe(product, given, "torch", once=True).counts["product_of_a_head"] == of_a_head


def test_what_multiplies_the_arguments_numbers_one_by_one_is_counted():
    x, one = np.ones((6, 4), np.float32), torch.ones(())
    for multiply in (
        lambda q: q * one,
        lambda q: q / one,
        lambda q: q.clone().mul_(1.0),
        lambda q: q.lerp(q, 0.5),
        lambda q: torch.zeros_like(q).sub_(q, alpha=-1),
        lambda q: q[None].mean(0),
        lambda q: q[None].logsumexp(0),
        lambda q: torch.nn.functional.avg_pool1d(q, 1),
        lambda q: torch.rsub(q, 0.0, alpha=-1),
        lambda q: torch.fft.fft(q[None], dim=0).real,
        lambda q: q[None].var(0, correction=0),
    ):
        assert observe(multiply, {"q": x}, "torch", once=True).counts["by_number"] == 24
    for move in (
        lambda q: q.T.clone(),
        lambda q: torch.cat([q, q]),
        lambda q: q[torch.arange(6) * 5 % 6],
        lambda q: -q,
        lambda q: torch.zeros_like(q).add_(q),
        lambda q: q[None].sum(0),
    ):
        assert observe(move, {"q": x}, "torch", once=True).counts["by_number"] == 0


def test_numbers_that_meet_along_an_axis_are_counted():
    x = np.ones((6, 4), np.float32)
    for join in (
        lambda q: q.cumsum(0),
        lambda q: q[q[:, 0].argsort()],
        lambda q: q.sum(0),
        lambda q: q.sort(dim=0)[0],
        lambda q: q.softmax(0),
        lambda q: torch.zeros_like(q).index_add_(0, torch.zeros(6, dtype=torch.int64), q),
        lambda q: torch.nn.functional.max_pool1d(q, 4),
        lambda q: q.nanmedian(),
        lambda q: torch.zeros_like(q).index_put_((torch.zeros(6, dtype=torch.int64),), q, accumulate=True),
        lambda q: torch.complex(q, q).sum(0),
    ):
        assert observe(join, {"q": x}, "torch", once=True).counts["joined"] in (6, 24)
    for keep in (
        lambda q: torch.stack([q, q]).sum(0),
        lambda q: torch.stack([q, q]).logsumexp(0),
        lambda q: torch.stack([q, q]).sort(dim=0).values[1],
        lambda q: q.gather(0, torch.stack([q, q], 1).argmax(1)),
        lambda q: torch.stack([q, q]).cumsum(0)[1],
        lambda q: q * (q == 0).any(),
        lambda q: q * (q.abs().amax(-1, keepdim=True) == 0) + q.sum(1, keepdim=True),
        lambda q: torch.zeros_like(q).index_put_((torch.arange(6),), q),
        lambda q: torch.logaddexp(q, q),
    ):
        assert observe(keep, {"q": x}, "torch", once=True).counts["joined"] == 0


def test_rows_between_which_others_lie_are_counted():
    x = np.ones((6, 4), np.float32)
    apart = {
        0: [lambda q: q[1:4] @ q[:2].T, lambda q: q.view(2, 3, 4)[1] @ q.T, lambda q: q.T @ q, lambda q: q[:1] @ q.T],
        3: [
            lambda q: q[::2] @ q.T,
            lambda q: q @ q[1::2].T,
            lambda q: q.view(3, 2, 4)[:, 1] @ q.T,
            lambda q: 2 * q[::2],
        ],
    }
    for rows, products in apart.items():
        for product in products:
            assert observe(product, {"q": x}, "torch", once=True).counts["rows_apart"] == rows
            assert observe(product, {"q": x[:, ::-1][:, ::-1]}, "torch", once=True).counts["rows_apart"] == rows


POWERS = [
    *(torch.exp, torch.exp2, torch.expm1, torch.sigmoid, torch.tanh, torch.sinh, torch.cosh, torch.special.expit),
    *(lambda s: s.softmax(-1), lambda s: s.log_softmax(-1), lambda s: s.clone().exp_(), lambda s: s.logcumsumexp(-1)),
    *(lambda s: 2**s, lambda s: (s + 1).pow(s), lambda s: torch.float_power(2, s), lambda s: torch.ldexp(s, s)),
    *(lambda s: torch.logaddexp(s, s), lambda s: torch.nn.functional.softplus(s), torch.nn.functional.silu),
]


@pytest.mark.parametrize("powers", POWERS)
def test_powers_are_counted_by_how_many_are_taken_at_once(powers):
    def by_rows(q):
        powers(q[0])
        return torch.stack([powers(pair) for pair in q.view(3, 2, 4)])

    seen = observe(by_rows, {"q": np.ones((6, 4), np.float32)}, "torch", once=True)
    assert (seen.counts["powers_at_once"], seen.counts["product_rows"]) == (8, 2)
    assert seen.counts["powers"] in (4 + 3 * 8, 2 * (4 + 3 * 8)), "of both arguments where there are two"
    assert observe(powers_of_all, {"q": np.ones((2, 3, 4), np.float32)}, "torch", once=True).counts["product_rows"] == 6


@pytest.mark.parametrize(
    ("cut", "numbers"),
    [
        (lambda q: torch.round(q * 512) / 512, 4),
        (lambda q: q - q % 2**-9, 4),
        (lambda q: torch.div(q, 2**-9, rounding_mode="floor"), 4),
        (lambda q: (q.view(torch.int32) >> 13 << 13).view(torch.float32), 4),
        (lambda q: q.clone().mul_(512).floor_(), 4),
        (lambda q: torch.bucketize(q, torch.arange(512) / 512), 4),
        (lambda q: q + torch.floor(torch.arange(4) / 2) + torch.arange(4) % 2, 0),  # places
        (lambda q: torch.div(q, 512), 0),
    ],
)
def test_numbers_that_are_left_on_a_grid_are_rounded(cut, numbers):
    assert observe(cut, {"q": np.ones(4, np.float32)}, "torch", once=True).counts["rounded"] == numbers


def test_numbers_that_products_sums_and_casts_leave_in_16_bits_are_counted():
    def narrow(q):
        half = (q @ q.T.contiguous()).half() * 2
        return half.sum(0) + half.float().sum(0) + (half @ half)[0] + half.exp()[0]

    seen = observe(narrow, {"q": np.ones((6, 4), np.float32)}, "torch", once=True)
    assert seen.failure is None and seen.counts["rounded"] == 36 + 6 + 36 + 36


@pytest.mark.parametrize(
    ("compute", "rounded"),
    [
        (lambda x: torch.div(x, 3, out=torch.empty(6, 4, dtype=torch.float16)), 24),
        (lambda x: torch.zeros(6, 4, dtype=torch.bfloat16).add_(x), 24),
        (lambda x: x.to(torch.float8_e5m2), 24),
        (lambda x: torch.zeros(6, 4, dtype=torch.float16).copy_(x), 24),
        (lambda x: x[0, 0].half(), 1),
        (lambda x: torch.ones(6, 4, dtype=torch.float16) * x.amax(), 0),  # which torch reads in 16 bits
        (lambda x: torch.ones(6, 4, dtype=torch.float16) + x, 0),
        (lambda x: torch.zeros_like(x, dtype=torch.float16), 0),
    ],
)
def test_whatever_leaves_fewer_bits_than_it_is_given_rounds(compute, rounded):
    def answer(x):
        compute(x)
        return x + 1

    seen = observe(answer, {"x": np.ones((6, 4), np.float32)}, "torch", once=True)
    assert seen.failure is None and seen.counts["rounded"] == rounded


def test_a_square_is_no_power():
    seen = observe(lambda x: x**2 + x.pow(0.5), {"x": np.ones((6, 4), np.float32)}, "torch", once=True)
    assert seen.counts["powers_at_once"] == 0


def powers_of_all(q):
    return torch.exp(q)


def test_torch_operations_are_seen_however_they_are_called():
    import torch

    disguised = getattr(torch.nn.functional, "scaled_dot_" + "product_attention")
    q = np.ones((1, 2, 3, 4), np.float32)
    names = observe(lambda q: disguised(q, q, q), {"q": q}, "torch").operations
    assert any("scaled_dot_product" in name for name in names)
    assert any(
        "softmax" in n for n in observe(lambda q: torch.ops.aten._softmax(q, -1, False), {"q": q}, "torch").operations
    )
    assert not any(
        "softmax" in n for n in observe(lambda q: q.exp() / q.exp().sum(-1, keepdim=True), {"q": q}, "torch").operations
    )


@pytest.mark.parametrize(
    ("answer", "is_seen"),
    [
        (lambda x: x.tolist(), True),
        (lambda x: torch.complex(x, x).tolist(), True),
        (lambda x: (x * 2**20).round().long().tolist(), True),
        (lambda x: ((x * 2**20).int()[0] + 1).tolist(), True),
        (lambda x: torch.frexp(x)[1].tolist(), True),
        (lambda x: torch.bucketize(x, torch.arange(9.0)).tolist(), True),
        (lambda x: (x[..., None] * 9).sum(-1, dtype=torch.long).tolist(), True),
        (lambda x: torch.tensor([[0] * x.shape[1]] * len(x)).copy_(x).tolist(), True),
        (lambda x: x.argmax(1).tolist() + (x > 3).sum(1).tolist(), False),
        (lambda x: (torch.arange(3) / 2).ceil().long().tolist(), False),  # no number of x is in it
    ],
)
def test_numbers_that_leave_torch_are_seen_rounded_or_not(answer, is_seen):
    def answers(x):
        answer(x)
        return x + 1

    seen = observe(answers, {"x": x().astype(np.float32)}, "torch").operations
    assert ("torch.Tensor.tolist of floating-point numbers" in seen) is is_seen


def test_numbers_of_an_argument_that_was_freed_are_forgotten():
    x = torch.ones(64)
    with OperatorsAndBytes(lambda _: False) as operators:
        x.view(8, 8)
        assert operators.carries_numbers(x)
        del x
        assert not operators.carrying
        assert not operators.carries_numbers(torch.zeros(32, dtype=torch.int64))  # of the same size, as a rule there


class Handed:
    """Which hands a library something to call: what it asks of a tensor, its address, is a function of C's."""

    shape = (16, 16)

    def __init__(self, work):
        self.data_ptr = work

    def stride(self):
        return 16, 1


def test_what_a_library_calls_for_an_answer_is_the_answers():
    descriptors = pytest.importorskip("triton.tools.tensor_descriptor", reason="Triton is not installed here")

    def product(x):
        found: list[torch.Tensor] = []
        with contextlib.suppress(TypeError):
            work = functools.partial(found.extend, map(torch.matmul, [x], [x.T]))
            descriptors.TensorDescriptor.from_tensor(Handed(work), [16, 16])
        return found[0]

    seen = observe(product, {"x": x()}, "torch", once=True)
    assert seen.counts["products"] == 3 * 3 * 4 and "torch.matmul" in seen.operations


def test_a_descriptor_of_a_tensor_asks_for_no_operation_of_the_answers():
    descriptors = pytest.importorskip("triton.tools.tensor_descriptor", reason="Triton is not installed here")

    def described(x):
        descriptors.TensorDescriptor.from_tensor(x, [1, 4])
        return torch.empty_like(x)

    seen = observe(described, {"x": x()}, "torch", once=True)
    assert seen.failure is None and seen.counts["operators"] == 1 and seen.counts["products"] == 0


def test_what_is_set_on_the_class_of_tensors_changes_no_count(monkeypatch):
    def product(x):
        with monkeypatch.context() as patch:
            for name in ("shape", "ndim", "nbytes"):
                patch.setattr(torch.Tensor, name, property(lambda self: 0))
            for name in ("numel", "size", "untyped_storage", "is_floating_point", "data_ptr"):
                patch.setattr(torch.Tensor, name, lambda self, *_: 0)
            return torch.matmul(x, x.T) + torch.matmul(x, x.T)

    seen = observe(product, {"x": x()}, "torch", once=True)
    assert seen.counts["products"] == 2 * 3 * 3 * 4 and seen.counts["peak_bytes"] >= 3 * 3 * 4 * 3


def test_what_an_error_of_torch_says_counts_as_memory():
    def told(q):
        try:
            torch.zeros(1)[(q * 1000).long()]
        except IndexError as error:
            return len(str(error))

    seen = observe(told, {"q": np.full(1, 7.0, np.float32)}, "torch", once=True)
    assert seen.outputs and seen.outputs[0] > len("index 7000") and seen.counts["peak_bytes"] >= 8 + seen.outputs[0]


def test_a_stream_of_numbers_is_given_others_before_the_call_that_counts():
    lowest = np.finfo(np.float32).min
    others = with_other_numbers({"stream": Stream([np.float32(1), lowest]), "n": 2})
    assert items_of(others["stream"]) == [3, -np.inf] and others["n"] == 2


def test_of_several_threads_one_calls_at_a_time():
    """Graders try the course's mistakes in threads of one process, in which a CUDA kernel must be alone."""
    inside, most = 0, 0

    def slow(x):
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        time.sleep(0.02)
        inside -= 1
        return x

    with ThreadPoolExecutor(4) as pool:
        seen = pool.map(lambda _: observe(slow, {"x": np.ones(2)}, "numpy", once=True), range(8))
        assert [one.failure for one in seen] == [None] * 8
    assert most == 1
