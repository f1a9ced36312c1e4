"""bench(f) without a GPU: what is counted, what is refused, what is shown and kept. The clock is the tests' own."""

import io
import itertools
import json
import math
import subprocess
import sys
import xml.dom.minidom

import pytest
import torch

import autograder.benchmark as package
from autograder.benchmark import drive, measure, panels, shown
from autograder.benchmark import table as report
from autograder.benchmark.measure import Machine
from autograder.benchmark.problems import attention as problems
from autograder.benchmark.problems.attention import Attention, Gradients, Rows, Training, output_and_lse
from autograder.benchmark.problems.decode import Decode, PagedDecode
from autograder.benchmark.problems.peers import Column, judged
from autograder.benchmark.problems.sizes import MEASURED, Measured, course_function
from autograder.benchmark.result import Row
from autograder.benchmark.shown import Bench
from autograder.benchmark.timing import clock as timing
from autograder.benchmark.timing import gate, roofline
from autograder.benchmark.timing.clock import Timing
from autograder.benchmark.timing.roofline import Ceilings, Device
from autograder.spec.folders import ROOT
from autograder.spec.user_error import UserError
from kernels import reference

CPU = torch.device("cpu")
DEVICE = Device("NVIDIA H200", "9.0", 132, 1.98, 60.0, 139.8)
CEILINGS = Ceilings(copy=4.27e12, matmul=790e12, exp=16 * 132 * 1.98e9)
FORWARD = [Attention(128, 64, causal, 2, 2) for causal in (False, True)]


@pytest.fixture(autouse=True)
def _one_thread():
    torch.set_num_threads(1)


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


# Answers as a kernel computes them: scores and sums in float32, P rounded to the inputs' dtype.


def flash_attention(q, k, v, causal=False, factor=1.0):
    s = q.float() @ k.float().transpose(-1, -2) * (factor * q.shape[-1] ** -0.5)
    if causal:
        s = s.masked_fill(torch.ones(s.shape[-2:], dtype=torch.bool).triu(1), -torch.inf)
    m = s.amax(-1, keepdim=True)
    p = torch.exp(s - m)
    l = p.sum(-1, keepdim=True)
    return ((p.to(q.dtype).float() @ v.float()) / l).to(q.dtype), (m + l.log())[..., 0]


def attention_backward(q, k, v, o, L, do, causal=False):
    scale = q.shape[-1] ** -0.5
    s = q.float() @ k.float().transpose(-1, -2) * scale
    p = torch.exp(s - L[..., None])
    if causal:
        p = p.tril()
    dp = do.float() @ v.float().transpose(-1, -2)
    ds = p * (dp - (o.float() * do.float()).sum(-1, keepdim=True))
    p, ds = p.to(q.dtype).float(), ds.to(q.dtype).float()
    dq, dk, dv = scale * ds @ k.float(), scale * ds.transpose(-1, -2) @ q.float(), p.transpose(-1, -2) @ do.float()
    return dq.to(q.dtype), dk.to(q.dtype), dv.to(q.dtype)


def attention_with_gradients(q, k, v, do, causal=False):
    o, L = flash_attention(q, k, v, causal)
    return o, *attention_backward(q, k, v, o, L, do, causal)


def flash_decode(q, k, v, lengths, factor=1.0):
    rows = q.unflatten(1, (k.shape[1], -1)).float()
    s = rows @ k.float().transpose(-1, -2) * (factor * q.shape[-1] ** -0.5)
    behind = torch.arange(k.shape[2]) >= lengths[:, None]
    s = s.masked_fill(behind[:, None, None], -torch.inf)
    m = s.amax(-1, keepdim=True)
    p = torch.exp(s - m)
    l = p.sum(-1, keepdim=True)
    o = (p.to(q.dtype).float() @ v.float()) / l
    return o.flatten(1, 2).to(q.dtype), (m + l.log()).flatten(1)


def paged_decode(q, k_pool, v_pool, tables, lengths):
    k, v = (x[tables.clamp(min=0)].transpose(1, 2).flatten(2, 3) for x in (k_pool, v_pool))
    return flash_decode(q, k, v, lengths)[0]


def softmax(x):
    y = torch.softmax(x, dim=-1)
    return y.nan_to_num(0)


# What is counted.


def test_the_grid_is_16k_tokens_and_2048_numbers_for_each():
    for name, kinds in (("flash_attention", Attention), ("attention_backward", Gradients)):
        sizes = [(p.d, p.causal, p.n) for p in MEASURED[name].problems]
        assert len(set(sizes)) == len(sizes) == 2 * 2 * 6
        for p in MEASURED[name].problems:
            assert type(p) is kinds and p.batch * p.n == 16_384 and p.heads * p.d == 2048
    assert {(8192, 1024), (8192, 8192), (4096, 32_768), (1024, 131_072)} <= {
        (p.rows, p.columns) for p in MEASURED["online_softmax_rows"].problems
    }


def test_work_by_hand():
    """4 B H N^2 d = 4 * 4 * 32 * 4096^2 * 64; a softmax of 8192 x 1024 float32 moves 32 MiB in and 32 MiB out."""
    assert Attention(4096, 64, False, 4, 32).work == 549_755_813_888
    assert Attention(4096, 64, True, 4, 32).work == 274_877_906_944
    assert Gradients(4096, 64, False, 4, 32).work == 2.5 * 549_755_813_888
    assert Training(4096, 64, False, 4, 32).work == 3.5 * 549_755_813_888
    assert Rows(8192, 1024).work == 64 * 2**20


def test_the_work_of_decoding_is_the_fewest_bytes():
    """K and V: 2 * 32 * 4096 * 8 * 128 numbers of 2 bytes, half a GiB; q and o: 2 * 32 * 64 * 128 of them, 1 MiB."""
    problem = Decode(32, 4096, 8)
    assert problem.cached == 2**29 and problem.work == 2**29 + 2**20
    assert Decode(32, 4096, 64).cached == 8 * 2**29 and PagedDecode(32, 4096, 8, 16).work == problem.work
    assert CEILINGS.serial(problem) == CEILINGS.overlapped(problem) == CEILINGS.highest(problem) == 4.27e12


def test_decoding_is_measured_at_the_sizes_that_the_lessons_speak_of():
    for name, large in (("flash_decode", (Decode,)), ("paged_decode", (PagedDecode, 16))):
        sizes = {
            (type(p), *([p.page] if p.kind == "decode" and "page" in p.shape else []), p.batch, p.context)
            for p in MEASURED[name].problems
            if p.kv_heads == 8
        }
        assert {(*large, 32, 4096), (*large, 64, 8192), (*large, 8, 32_768), (*large, 1, 131_072)} <= sizes
    assert any(p.page == 64 for p in MEASURED["paged_decode"].problems)
    for name in ("flash_decode", "paged_decode"):
        assert any(p.kv_heads == p.heads for p in MEASURED[name].problems), "and with as many KV heads as query heads"


def test_ceilings_by_hand():
    """An H200 makes 16 * 132 * 1.98e9 = 4.18e12 exponentials/s, each for 4 * 64 operations: 1070 TFLOP/s.

    In turns with products at 790: 1 / (1/790 + 1/1070) = 455; with d = 128 it is 1 / (1/790 + 1/2141) = 577.
    """
    for d, serial in ((64, 454.6), (128, 577.1)):
        problem = Attention(4096, d, True, 4, 2048 // d)
        assert CEILINGS.serial(problem) / 1e12 == pytest.approx(serial, abs=0.1)
        assert CEILINGS.overlapped(problem) == CEILINGS.highest(problem) == 790e12
    slow = Ceilings(4e12, 1600e12, CEILINGS.exp)
    assert slow.overlapped(Attention(4096, 64, False, 4, 32)) / 1e12 == pytest.approx(1070.5, abs=0.1)
    backward = CEILINGS.serial(Gradients(4096, 64, False, 4, 32)) / 1e12
    assert backward == pytest.approx(1 / (1 / 790 + 1 / (4.181760 * 640)), abs=0.1)
    both = CEILINGS.serial(Training(4096, 64, False, 4, 32)) / 1e12
    assert both == pytest.approx(1 / (1 / 790 + 1 / (4.181760 * 448)), abs=0.1)
    assert CEILINGS.serial(Rows(8192, 1024)) == CEILINGS.overlapped(Rows(8192, 1024)) == 4.27e12
    assert Ceilings(4e12, 790e12, 0).serial(Attention(4096, 64, False, 4, 32)) == 790e12


def test_median_and_percentiles():
    t = timing.summary([5.0, 1.0, 2.0, 3.0, 4.0, 6.0])
    assert (t.ms, t.low, t.high, t.times) == (3.5, 2.0, 5.0, 6)
    assert t.spread == pytest.approx(1.5 / 3.5)


def test_every_measured_exercise_of_the_course_takes_what_bench_gives():
    import inspect

    for name, measured in MEASURED.items():
        function = course_function(name)
        if function is None:
            continue
        problem = measured.problems[0]
        names = None if isinstance(problem, Attention) else list(problem.empty(torch.device("meta")))
        given = (
            names
            or {"forward": "q k v", "backward": "q k v o L do", "forward + backward": "q k v do"}[problem.kind].split()
        )
        parameters = list(inspect.signature(function).parameters)
        assert parameters[: len(given)] == given
        assert names or "causal" in parameters


# Right first.


def judge(function, problem):
    return gate.first_refusal(judged("yours", function), problem, CPU, generator())


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("d", [64, 128])
def test_kernels_that_are_right_pass(causal, d):
    assert judge(flash_attention, Attention(192, d, causal, 2, 4)) == ""
    assert judge(attention_backward, Gradients(192, d, causal, 2, 4)) == ""
    assert judge(attention_with_gradients, Training(192, d, causal, 2, 4)) == ""


DECODED = [
    (flash_decode, Decode(3, 48, 8)),
    (flash_decode, Decode(1, 48, 64)),
    (paged_decode, PagedDecode(3, 48, 8, 16)),
]


@pytest.mark.parametrize(("function", "problem"), DECODED)
def test_decoding_that_is_right_passes(function, problem):
    assert judge(function, problem) == ""


def test_the_truth_of_decoding_is_that_of_whole_attention():
    problem = Decode(2, 40, 8)
    inputs = problem.empty(CPU)
    problem.fill(inputs, generator())
    q, k, v = (inputs[name].double() for name in ("q", "k", "v"))
    k, v = (x.repeat_interleave(8, dim=1) for x in (k, v))
    o, L = reference.attention(q[:, :, None], k, v)
    found = problem.truth(inputs, torch.tensor([1, 0]), torch.float64)
    torch.testing.assert_close(found, [o[[1, 0], :, 0], L[[1, 0], :, 0]])


def test_pages_hold_the_same_in_another_order():
    problem = PagedDecode(2, 64, 8, 16)
    inputs = problem.empty(CPU)
    problem.fill(inputs, generator())
    assert sorted(inputs["tables"].flatten().tolist()) == list(range(8)), "each block once"
    k, _ = problem.cache(inputs, slice(None))
    block = inputs["tables"][1, 2]
    assert torch.equal(k[1, 5, 32:48], inputs["k_pool"][block, 5])
    assert torch.equal(problem.cache(inputs, 1)[0], k[1])


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (lambda q, k, v, lengths: flash_decode(q, k, v, torch.full_like(lengths, k.shape[2])), Decode(3, 48, 8)),
        (lambda q, k, v, lengths: flash_decode(q, k, v, lengths - 1), Decode(1, 48, 8)),
        (lambda q, k, v, lengths: flash_decode(q, k.flip(1), v.flip(1), lengths), Decode(3, 48, 8)),
        (lambda q, k, v, lengths: flash_decode(q, k, v, lengths, factor=1.1), Decode(3, 48, 8)),
        (lambda q, k, v, tables, lengths: paged_decode(q, k, v, tables.flip(1), lengths), PagedDecode(3, 48, 8, 16)),
        (lambda q, k, v, tables, lengths: flash_decode(q, k, v, lengths)[0], PagedDecode(3, 16, 8, 16)),
    ],
    ids=["lengths ignored", "newest token left out", "KV heads", "scale", "tables reversed", "tables ignored"],
)
def test_decoding_that_is_wrong_is_refused(wrong, problem):
    assert "o is off by" in judge(wrong, problem)


def test_the_truth_is_the_same_in_chunks(monkeypatch):
    for problem in (Attention(100, 16, True, 1, 2), Gradients(100, 16, True, 1, 2)):
        inputs = problem.empty(CPU)
        problem.fill(inputs, generator())
        whole = problem.truth(inputs, torch.arange(2), torch.float64)
        monkeypatch.setattr(problems, "CHUNK", 32)
        for a, b in zip(whole, problem.truth(inputs, torch.arange(2), torch.float64)):
            torch.testing.assert_close(a, b)
        monkeypatch.undo()


def test_the_truth_is_that_of_autograd_on_whole_matrices():
    problem = Gradients(64, 16, True, 1, 1)
    inputs = problem.empty(CPU)
    problem.fill(inputs, generator())
    q, k, v = (inputs[name][0, 0].double().requires_grad_() for name in "qkv")
    o, _ = reference.attention(q[None], k[None], v[None], causal=True)
    want = torch.autograd.grad(o[0], (q, k, v), inputs["do"][0, 0].double())
    for a, b in zip(problem.truth(inputs, torch.arange(1), torch.float64), want):
        torch.testing.assert_close(a[0], b)


def test_softmax_in_float32_passes_and_in_half_fails():
    problem = Rows(300, 1000)
    assert judge(softmax, problem) == ""
    assert "off by" in judge(lambda x: softmax(x.half()).float(), problem)
    assert "not finite" in judge(lambda x: torch.softmax(x, -1), problem), "a masked row gives zeros, not NaN"
    assert "not finite" in judge(lambda x: x.exp() / x.exp().sum(-1, keepdim=True), problem), "without the maximum"


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda q, k, v, causal: flash_attention(q, k, v, causal, factor=2), "o is off by"),
        (lambda q, k, v, causal: flash_attention(q, k, v, False), "o is off by"),
        (lambda q, k, v, causal: (flash_attention(q, k, v, causal)[0], torch.zeros(2, 4, 192)), "L is off by"),
        (lambda q, k, v, causal: [x / math.log(2) for x in flash_attention(q, k, v, causal)], "off by"),
        (lambda q, k, v, causal: flash_attention(q, k, v, causal)[0], "1 tensor, not o, L"),
        (lambda q, k, v, causal: flash_attention(q.float(), k, v, causal), "o is (2, 4, 192, 64) float32, not"),
        (lambda q, k, v, causal: (q[:, :, 1:], torch.zeros(2, 4, 192)), "o is (2, 4, 191, 64) bfloat16, not"),
        (lambda q, k, v, causal: (None, None), "o is not a tensor but a NoneType"),
        (lambda q, k, v, causal: (q * torch.nan, torch.zeros(2, 4, 192)), "not finite: not written"),
    ],
)
def test_wrong_kernels_are_refused_with_a_sentence(wrong, says):
    assert says in judge(wrong, Attention(192, 64, True, 2, 4))


def test_accumulating_in_bfloat16_is_refused():
    def coarse(q, k, v, causal):
        o, L = torch.zeros_like(q), flash_attention(q, k, v, causal)[1]
        p = torch.exp((q @ k.transpose(-1, -2)).float() * q.shape[-1] ** -0.5 - L[..., None]).tril().to(q.dtype)
        for j in range(0, q.shape[2], 2):
            o += p[..., j : j + 2] @ v[:, :, j : j + 2]
        return o, L

    assert "o is off by" in judge(coarse, Attention(512, 64, True, 1, 2))


def test_inputs_have_to_come_back_unchanged():
    def scales_q(q, k, v, causal):
        found = flash_attention(q, k, v, causal)
        q *= 0.125
        return found

    assert "q came back changed" in judge(scales_q, Attention(64, 16, False, 1, 2))


# The clock.


class FakeClock:
    """Tells times by the name of the column; `late` and `alone` milliseconds of the answers' can be set."""

    device = CPU

    def __init__(self, ms, late=0.02, alone=None):
        self.ms, self.late, self.alone_ms, self.order = ms, late, alone, []

    def time(self, name, call):
        self.order.append(name)
        return self.ms[name], self.late, call()

    def alone(self, name, call):
        call()
        return self.ms[name] if self.alone_ms is None else self.alone_ms


@pytest.fixture
def run(monkeypatch):
    """Measure `function` under the name flash_attention on small problems, with given times."""
    monkeypatch.setitem(MEASURED, "flash_attention", Measured("causal_flash", FORWARD))
    monkeypatch.setattr(measure, "course_function", lambda name: flash_attention)

    def call(function, ms=None, peers=None, **ticks):
        clock = FakeClock({"yours": 30.0, "course": 31.0, "cuDNN": 29.0, "flash": 60.0} | (ms or {}), **ticks)
        peers = peers or [
            Column(name, lambda p, x: lambda: output_and_lse(**x, causal=p.causal)) for name in ("cuDNN", "flash")
        ]
        found = measure.measure([("flash_attention", function)], Machine(clock, DEVICE, CEILINGS, lambda p: peers), "t")
        return found, clock

    return call


def right(q, k, v, causal=False):
    return flash_attention(q, k, v, causal)


def test_a_right_answer_is_timed_beside_the_course_and_the_peers(run):
    found, clock = run(right)
    assert found.refused == [] and found.missing == [] and len(found.rows) == len(FORWARD)
    row = found.rows[0]
    assert list(row.columns) == ["yours", "course", "cuDNN", "flash"] and row.lead == "yours"
    assert row.rate("yours") == pytest.approx(FORWARD[0].work / 30e-3 / 1e12)
    assert row.ratio("flash") == pytest.approx(2.0) and row.ratio("cuDNN") == pytest.approx(29 / 30)
    counted = clock.order[timing.WARM * 4 :][: 4 * timing.FEWEST]
    rounds = [counted[i : i + 4] for i in range(0, len(counted), 4)]
    assert all(len(set(r)) == 4 for r in rounds) and len({r[0] for r in rounds}) == 4, "round-robin, rotating"


def test_the_courses_own_function_has_one_column(run):
    found, _ = run(flash_attention)
    assert list(found.rows[0].columns) == ["course", "cuDNN", "flash"] and found.rows[0].lead == "course"


def test_a_wrong_answer_is_refused_without_timing(run):
    found, clock = run(lambda q, k, v, causal: flash_attention(q, k, v, causal, factor=1.5))
    assert found.rows == [] and clock.order == []
    assert len(found.refused) == 1 and found.refused[0].startswith("your flash_attention is refused: o is off by")


def test_an_answer_that_raises_is_refused_with_its_error(run):
    found, clock = run(lambda q, k, v, causal: 1 / 0)
    assert "it raises ZeroDivisionError: division by zero" in found.refused[0] and clock.order == []


def test_a_result_above_the_roofline_is_refused(run):
    work = FORWARD[0].work
    too_fast = work / (1.2 * CEILINGS.matmul) * 1e3
    found, _ = run(right, {"yours": too_fast})
    assert found.rows == []
    assert "948 TFLOP/s is above what this device can do (790): the work was not done" in found.refused[0]
    assert run(right, {"yours": work / (1.05 * CEILINGS.matmul) * 1e3})[0].rows, "within the noise"


def test_a_course_function_that_is_refused_leaves_the_learners_row(run):
    found, _ = run(right, {"course": 1e-9})
    assert "the course's flash_attention is refused" in found.refused[0]
    assert [list(row.columns) for row in found.rows] == [["yours", "cuDNN", "flash"]] * 2


def test_outputs_kept_from_an_earlier_call_are_refused(run):
    kept = {}

    def cached(q, k, v, causal=False):
        key = (q.data_ptr(), q.shape, causal)
        if key not in kept or len(calls) < 2 * len(FORWARD):
            calls.append(key)
            kept[key] = flash_attention(q, k, v, causal)
        return kept[key]

    calls = []
    found, _ = run(cached)
    assert found.rows == [] and found.refused


def test_an_answer_right_only_while_it_is_checked_is_refused(run):
    calls = []

    def lazy(q, k, v, causal=False):
        calls.append(1)
        done = flash_attention(q, k, v, causal)
        return done if len(calls) <= 2 * len(FORWARD) else (torch.zeros_like(done[0]), done[1])

    found, _ = run(lazy)
    assert found.rows == [] and "right when checked, wrong when timed: o is off" in found.refused[0]


@pytest.mark.parametrize("hidden", [{"late": 12.0}, {"alone": 61.0}])
def test_work_on_another_stream_is_refused(run, hidden):
    found, _ = run(right, **hidden)
    assert found.rows == [] and "part of the work was done on another stream" in found.refused[0]


def test_a_peer_that_does_not_run_here_is_left_out(run):
    def fails(problem, inputs):
        raise RuntimeError("No available kernel")

    found, _ = run(right, peers=[Column("cuDNN", fails)])
    assert list(found.rows[0].columns) == ["yours", "course"]
    assert "flash_attention: cuDNN does not run D=64 N=128 full" in found.missing


def test_a_softmax_may_be_as_fast_as_the_copy_beside_it():
    problem = Rows(8192, 1024)
    timings = {"yours": Timing(0.013, 0.013, 0.013, 9), "copy": Timing(0.013, 0.0128, 0.0135, 9)}
    assert measure._too_fast(problem, timings, "yours", CEILINGS) == ""
    alone = measure._too_fast(problem, {"yours": timings["yours"]}, "yours", CEILINGS)
    assert "5.2 TB/s is above what this device can do (4.3)" in alone


# What is shown and kept.


def sample(names=("flash_attention", "online_softmax_rows"), columns=("yours", "course", "cuDNN", "flash")) -> Bench:
    rows = []
    for name in names:
        for p in MEASURED[name].problems:
            shown = columns if p.kind != "softmax" else ("course", "copy", "torch")
            ms = [p.work / (rate * 1e9 * (0.01 if p.unit == "TB/s" else 1)) for rate in (400, 410, 440, 300)]
            times = {c: Timing(t, 0.99 * t, 1.01 * t, 21) for c, t in zip(shown, ms)}
            ceilings = CEILINGS.overlapped(p), CEILINGS.serial(p)
            rows.append(Row(name, p.kind, p.label, p.shape, "bfloat16", p.unit, p.work, *ceilings, times))
    return Bench(list(names), rows, DEVICE, CEILINGS, {"torch": "2.11.0", "triton": "3.6.0"}, "bench", "2026-11-21")


def test_json_comes_back_as_it_went(tmp_path):
    path = tmp_path / "h200.json"
    sample().save(path)
    assert Bench.load(path) == sample()
    data = json.loads(path.read_text())
    assert list(data)[:5] == ["schema", "device", "versions", "command", "date"]
    row = data["rows"][0]
    assert row["shape"] == {"batch": 32, "heads": 32, "n": 512, "d": 64, "causal": False}
    assert row["columns"]["yours"]["rate"] == pytest.approx(400) and row["unit"] == "TFLOP/s"
    path.write_text(json.dumps(data | {"schema": 99}))
    with pytest.raises(ValueError, match="schema 99"):
        Bench.load(path)


def test_the_table_has_rates_ratios_and_shares():
    headers, rows = report.table(sample(), "flash_attention")
    rates, shares = ["yours", "course", "cuDNN", "flash"], ["x cuDNN", "x flash", "of roof", "of serial"]
    assert headers == ["D", "N", "mask", *rates, *shares, "spread"]
    assert rows[0] == ["64", "512", "full", "400", "410", "440", "300", "0.91", "1.33", "51%", "88%", "±1.0%"]
    said = report.text(sample())
    assert "NVIDIA H200 (132 SMs at 1.98 GHz), torch 2.11.0, triton 3.6.0, 2026-11-21" in said
    assert "flash_attention, D=64, N >= 4096: at least 0.91 x cuDNN, 1.33 x flash" in said
    assert max(map(len, said.splitlines())) <= 100
    headers, rows = report.table(sample(), "online_softmax_rows")
    assert rows[0] == ["8192", "1024", "4.00", "4.10", "4.40", "0.98", "0.91", "94%", "±1.0%"]


def test_a_peer_that_is_missing_in_one_row_is_a_dash():
    found = sample()
    del found.rows[0].columns["cuDNN"]
    found.rows[1].columns.pop("flash")
    _, rows = report.table(found, "flash_attention")
    assert rows[0][5] == "-" and rows[0][7] == "-" and rows[1][6] == "-"
    assert panels.panels(found, "flash_attention")[0].lines["cuDNN"][0][0] == 1


def test_the_table_of_decoding_has_microseconds_and_a_panel_for_each_batch():
    bench = sample(("paged_decode",), ("course", "copy", "contiguous", "cuDNN", "flash"))
    headers, rows = report.table(bench, "paged_decode")
    assert headers[:5] == ["batch", "context", "KV heads", "page", "us"]
    row = bench.rows[0]
    assert rows[0][4] == f"{row.columns['course'].ms * 1e3:.0f}" and "x contiguous" in headers
    titles = [panel.title for panel in panels.panels(bench, "paged_decode")]
    assert titles[0] == "paged_decode, batch 1, 8 KV heads, page 16" and len(set(titles)) == len(titles) == 6
    assert panels.panels(bench, "paged_decode")[0].ticks == ["4k", "16k", "64k", "128k"]
    assert any(line.startswith("paged_decode, 8 KV heads in pages of 16, 0.5 GB") for line in report.worst(bench))


def test_the_card_is_static_well_formed_and_small():
    html = sample(("flash_attention",))._repr_html_()
    xml.dom.minidom.parseString(html.replace("&nbsp;", " "))
    assert "<script" not in html and "http" not in html and len(html.encode()) < 30_000
    assert html.count("<svg") == 1 and html.count("roofline</text>") == 4
    assert "flash_attention, D=128, causal" in html and "±1.0%" in html


def test_the_rich_table_says_the_same():
    from rich.console import Console

    console = Console(width=100, record=True, file=io.StringIO())
    console.print(report.rich(sample()))
    said = console.export_text()
    assert "yours  course  cuDNN  flash" in said and "at least 0.91 x cuDNN" in said


@pytest.mark.parametrize(("top", "ticks"), [(790, 200), (4.27, 1), (61, 20), (1100, 200), (0.9, 0.2)])
def test_axes_have_round_numbers(top, ticks):
    found = panels.nice(top)
    assert found[0] == pytest.approx(ticks) and found[-1] <= top and len(found) >= 3


def test_labels_do_not_cover_each_other():
    found = panels.spread_out([(150.0, "a", ""), (158.0, "b", ""), (159.0, "c", ""), (20.0, "d", "")])
    places = [place for place, *_ in found]
    assert [name for _, name, _ in found] == ["d", "a", "b", "c"]
    assert all(b - a >= 12 for a, b in itertools.pairwise(places)) and places[-1] <= panels.PANEL_HEIGHT - panels.BOTTOM


@pytest.fixture
def kept(monkeypatch, tmp_path):
    path = tmp_path / "h200.json"
    sample(columns=("course", "cuDNN", "flash")).save(path)
    monkeypatch.setattr(shown, "MEASURED", path)


def labels(ax):
    return ax.get_legend_handles_labels()[1]


def test_the_plot_without_a_gpu_is_the_recorded_one(kept):
    figure = package.plot_bench(Bench(["flash_attention"], note=measure.NO_GPU))
    assert len(figure.axes) == 4 and figure.get_suptitle() == "recorded: NVIDIA H200, 2026-11-21"
    assert labels(figure.axes[0])[:3] == ["course", "cuDNN", "flash"]
    assert len(package.plot_bench().axes) == 6 and len(package.plot_bench("online_softmax_rows").axes) == 1


def test_the_plot_with_a_gpu_has_both(kept):
    mine = sample(("flash_attention",))
    figure = package.plot_bench(mine)
    assert labels(figure.axes[0])[:5] == ["yours", "course", "cuDNN", "flash", "course, recorded"]
    assert figure.get_suptitle().startswith("here: NVIDIA H200; recorded:")
    assert "nothing to draw" in str(package.plot_bench("attention_backward"))
    with pytest.raises(UserError, match="draws what bench"):
        package.plot_bench(0.5)  # type: ignore[arg-type]


def test_what_is_recorded_says_where_it_is_from():
    found = package.recorded()
    assert found.rows and found.device and "H200" in found.device.name and not found.refused
    assert found.command and found.date and {"torch", "triton", "cuda"} <= found.versions.keys()
    assert "/" not in found.command
    for row in found.rows:
        assert row.lead == "course" and row.share(row.roofline) < roofline.MARGIN


# No GPU, and the command.


def test_without_a_gpu_it_says_so_in_one_sentence(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    found = package.bench(flash_attention)
    assert str(found) == measure.NO_GPU and "NVIDIA GPU" in found._repr_html_() and found.rows == []
    with pytest.raises(LookupError, match="flash_attention"):
        package.bench(softmax)
    with pytest.raises(TypeError, match="the function itself"):
        package.bench(3)  # type: ignore[arg-type]
    with pytest.raises(SystemExit) as stopped:
        drive.main([])
    assert stopped.value.code == 2


def test_other_reasons_not_to_measure(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda: (7, 5))
    assert "this one has 7.5" in measure.why_not()
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda: (9, 0))
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    assert "interpreter" in measure.why_not()
    monkeypatch.delenv("TRITON_INTERPRET")
    assert measure.why_not() == ""


@pytest.fixture
def fake_machine(monkeypatch, run):
    """`here` gives the machine of the tests."""
    clock = FakeClock({"yours": 30.0, "course": 31.0})
    monkeypatch.setattr(drive, "why_not", lambda: "")
    monkeypatch.setattr(drive, "here", lambda: Machine(clock, DEVICE, CEILINGS, lambda p: []))
    monkeypatch.setattr(drive, "course_function", lambda name: flash_attention if name == "flash_attention" else None)


def test_the_command_measures_a_file_and_writes_the_json(fake_machine, tmp_path, capsys):
    path, out = tmp_path / "mine.py", tmp_path / "out.json"
    path.write_text("from tests.benchmark.test_bench import right\n\n\ndef flash_attention(q, k, v, causal):\n"
                    "    return right(q, k, v, causal)\n")  # fmt: skip
    assert drive.run([str(path)], out) == 0
    found = Bench.load(out)
    assert found.command == "python -m autograder.benchmark mine.py --json out.json", "no path of this machine"
    assert list(found.rows[0].columns) == ["yours", "course"]
    printed = capsys.readouterr()
    assert "flash_attention: forward, bfloat16, TFLOP/s" in printed.out and "is it right?" in printed.err


def test_the_command_takes_names_and_measures_the_course(fake_machine, capsys):
    assert drive.run(["flash_attention"]) == drive.run([]) == 0
    assert "x course" not in capsys.readouterr().out


def test_the_command_says_1_if_an_answer_is_refused(fake_machine, tmp_path):
    (tmp_path / "mine.py").write_text("def flash_attention(q, k, v, causal):\n    return q, k\n")
    assert drive.run([str(tmp_path / "mine.py")]) == 1


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("fused_softmax", "no fused_softmax of its own"),
        ("nosuch", "neither a file"),
        ("nosuch.py", "no file nosuch.py"),
        ("empty.py", "nothing to measure"),
    ],
)
def test_what_the_command_cannot_take(fake_machine, tmp_path, monkeypatch, what, says):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.py").write_text("x = 1\n")
    with pytest.raises(UserError, match=says):
        drive.run([what])
    with pytest.raises(UserError, match="is no folder"):
        drive.run(["flash_attention"], tmp_path / "no" / "out.json")


def test_the_answers_of_a_notebook_become_a_module():
    source = drive._as_module(ROOT / "solutions" / "03_attention.ipynb")
    namespace = {"__name__": "answers"}
    exec(compile(source, "answers", "exec"), namespace)
    assert callable(namespace["naive_attention"]) and callable(namespace["online_attention"])


def test_it_needs_only_torch_and_numpy():
    """On a bare GPU machine there is neither rich nor matplotlib nor Jupyter."""
    code = (
        "import sys\nclass Block:\n    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in {'rich', 'matplotlib', 'typer', 'IPython', 'nbformat', 'triton'}:\n"
        "            raise ModuleNotFoundError(name, name=name)\n"
        "sys.meta_path.insert(0, Block())\nfrom autograder.benchmark import drive\ndrive.main([])\n"
    )
    environment = {"PATH": "", "PYTHONPATH": str(ROOT), "CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, env=environment)
    assert done.returncode == 2 and done.stderr.startswith("bench: bench measures time"), done.stderr
