"""bench(f) on a GPU: the clock, the peers and the ceilings are real, the problems small."""

from collections.abc import Sequence

import pytest
import torch

from autograder.benchmark import measure
from autograder.benchmark.problems.attention import Attention, Gradients, Rows, Training
from autograder.benchmark.problems.decode import Decode, PagedDecode
from autograder.benchmark.problems.peers import judged, peers
from autograder.benchmark.problems.sizes import MEASURED, Measured, Problem, course_function
from autograder.benchmark.shown import Bench
from autograder.benchmark.timing.clock import GpuClock, interleaved
from autograder.benchmark.timing.roofline import ceilings, this_device

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="needs an NVIDIA GPU"),
]

SMALL: dict[str, Sequence[Problem]] = {
    "fused_softmax": [Rows(1024, 1000), Rows(512, 4096)],
    "online_softmax_rows": [Rows(1024, 1000), Rows(64, 131_072)],
    "flash_attention": [Attention(1024, d, causal, 2, 8) for d in (64, 128) for causal in (False, True)],
    "attention_backward": [Gradients(1024, d, causal, 2, 8) for d in (64, 128) for causal in (False, True)],
    "attention_with_gradients": [Training(1024, d, causal, 2, 8) for d in (64, 128) for causal in (False, True)],
    "flash_decode": [Decode(4, 2048, 8), Decode(1, 8192, 8), Decode(2, 1024, 64)],
    "paged_decode": [PagedDecode(4, 2048, 8, 16), PagedDecode(1, 8192, 8, 64), PagedDecode(2, 1024, 64, 16)],
}
LARGE = [Attention(4096, 64, False, 4, 32)]  # milliseconds: what is hidden shows


@pytest.fixture(scope="module")
def machine():
    if measure.why_not():
        pytest.skip(measure.why_not())
    return measure.here()


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    for name, sizes in SMALL.items():
        monkeypatch.setitem(MEASURED, name, Measured(MEASURED[name].topic, sizes))


def attention(q, k, v, causal=False):
    """Right, and slow: whole matrices in float32."""
    s = q.float() @ k.float().transpose(-1, -2) * q.shape[-1] ** -0.5
    if causal:
        s = s.masked_fill(torch.ones(s.shape[-2:], dtype=torch.bool, device=s.device).triu(1), -torch.inf)
    return (torch.softmax(s, -1) @ v.float()).to(q.dtype), torch.logsumexp(s, -1)


def measured(function, machine, name="flash_attention"):
    return measure.measure([(name, function)], machine, "test")


@pytest.mark.parametrize("name", SMALL)
def test_the_courses_own_are_right_and_measured_beside_their_peers(machine, name, tmp_path):
    function = course_function(name)
    if function is None:
        pytest.skip(f"the course has no {name}")
    found = measured(function, machine, name)
    assert found.refused == [] and len(found.rows) == len(SMALL[name])
    for row in found.rows:
        assert row.lead == "course" and 0 < row.share(row.roofline) < 1.3
        assert {"copy", "torch"} <= row.columns.keys() or "flash" in row.columns
        assert row.kind != "decode" or "copy" in row.columns
    found.save(tmp_path / "out.json")
    assert Bench.load(tmp_path / "out.json") == found
    assert name in str(found) and "<svg" in found._repr_html_()


def test_the_ceilings_are_those_of_a_gpu(machine):
    found = ceilings(machine.clock, this_device())
    assert 1e11 < found.copy < 2e13 and 1e13 < found.matmul < 1e16
    assert found.exp == 0 or 1e11 < found.exp < 1e14


def test_cudnn_and_flash_are_pinned(machine):
    """Every peer that runs is right too, forward and backward."""
    generator = torch.Generator("cuda")
    for problem in (Attention(512, 64, True, 2, 4), Gradients(512, 64, True, 2, 4)):
        columns = peers(problem)
        assert [c.name for c in columns] == ["cuDNN", "flash"]
        inputs = problem.empty(machine.clock.device)
        problem.fill(inputs, generator)
        answers = []
        for column in columns:
            with column.around():
                out = column.prepare(problem, inputs)()
            answers.append(out if isinstance(out, tuple) else (out,))
        for a, b in zip(*answers):
            torch.testing.assert_close(a, b, rtol=2e-2, atol=2e-2)


def test_the_peers_of_decoding_are_right(machine):
    problem = PagedDecode(4, 512, 8, 16)
    inputs = problem.empty(machine.clock.device)
    problem.fill(inputs, torch.Generator("cuda"))
    right = problem.truth(inputs, torch.arange(4), torch.float64)[0]
    columns = {column.name: column for column in peers(problem)}
    assert list(columns) == ["copy", "contiguous", "cuDNN", "flash"]
    for name in ("contiguous", "cuDNN", "flash"):
        with columns[name].around():
            found = columns[name].prepare(problem, inputs)()
        o = found[0] if isinstance(found, tuple) else found
        torch.testing.assert_close(o.reshape(right.shape).double(), right, rtol=2e-2, atol=2e-2)


@pytest.mark.parametrize("name", ["flash_decode", "paged_decode"])
def test_decoding_that_ignores_the_lengths_is_refused(machine, name):
    function = course_function(name)
    assert function

    def wrong(*inputs):
        *others, lengths = inputs
        return function(*others, torch.full_like(lengths, lengths.max()))

    found = measured(wrong, machine, name)
    assert found.rows == [] and f"your {name} is refused: o is off by" in found.refused[0]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda q, k, v, causal: attention(q, k, v, False),
        lambda q, k, v, causal: attention(2 * q, k, v, causal),
        lambda q, k, v, causal: (torch.empty_like(q), attention(q, k, v, causal)[1]),
        lambda q, k, v, causal: (attention(q, k, v, causal)[0], attention(q, k, v, causal)[1] * 1.4427),
    ],
    ids=["mask ignored", "scale twice", "never written", "L to base 2"],
)
def test_wrong_kernels_are_refused_without_timing(machine, wrong):
    found = measured(wrong, machine)
    assert found.rows == [] and found.refused[0].startswith("your flash_attention is refused: ")


def test_a_right_answer_is_measured_beside_the_course(machine):
    found = measured(attention, machine)
    assert found.refused == [] and all(row.lead == "yours" for row in found.rows)
    assert all(row.ratio("flash") < 1 for row in found.rows), "whole matrices in float32 are slow"


def test_outputs_kept_from_an_earlier_call_are_refused(machine):
    kept = {}

    def cached(q, k, v, causal=False):
        key = (q.data_ptr(), k.data_ptr(), v.data_ptr(), q.shape, causal)
        if key not in kept:
            kept[key] = attention(q, k, v, causal)
        return kept[key]

    assert measured(cached, machine).rows == []


@pytest.mark.parametrize("waits", [True, False])
def test_work_on_another_stream_is_refused(machine, monkeypatch, waits):
    monkeypatch.setitem(MEASURED, "flash_attention", Measured("causal_flash", LARGE))
    side = torch.cuda.Stream()

    def elsewhere(q, k, v, causal=False):
        if waits:
            side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            o, L = attention(q[:3], k[:3], v[:3], causal)  # most of it, so that it ends after what the clock sees
        o_rest, L_rest = attention(q[3:], k[3:], v[3:], causal)
        return torch.cat([o, o_rest]), torch.cat([L, L_rest])

    found = measured(elsewhere, machine)
    assert found.rows == [] and found.refused


def test_the_clock_does_not_count_the_host(machine):
    """A short kernel takes microseconds however slowly Python launches it."""
    x = torch.randn(1024, 1024, device="cuda")
    clock = GpuClock()
    ms = min(clock.time("", lambda: (sum(range(2000)), x.mul_(1.0)))[0] for _ in range(20))
    assert ms < 0.05


def test_the_columns_take_turns(machine):
    problem = Rows(8192, 8192)
    generator = torch.Generator("cuda")
    columns = [judged("yours", lambda x: torch.softmax(x, -1)), *peers(problem)]
    timings, refused = interleaved(machine.clock, problem, columns, generator)
    assert refused == {} and list(timings) == ["yours", "copy", "torch"]
    assert timings["yours"].ms == pytest.approx(timings["torch"].ms, rel=0.1), "the same function twice"
