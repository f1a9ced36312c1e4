"""What is served for the measurement: padded steps say what others say, and the traces are those that they claim."""

import numpy as np
import pytest
import torch

from autograder.spec import interpreter

interpreter.choose()
pytest.importorskip("triton", reason="Triton is not installed on this machine")

from bench.llama_shape import TINY, Llama, Size  # noqa: E402
from bench.serving import ENGINES, Arrival, nano_vllm, poisson, run  # noqa: E402


@pytest.fixture(scope="module")
def model():
    model = Llama(TINY, "cpu", torch.float32)
    model.new_cache(20, 16)
    return model


@pytest.mark.parametrize("tokens", [[[3], [4], [1, 2, 3, 4]], [[3], [4], [1]]])
def test_a_step_that_is_padded_to_a_recorded_size_says_the_same(model, tokens):
    cache, total = model.new_cache(20, 16), sum(map(len, tokens))
    model.step(cache, [5, 9], [[1, 2, 3, 4, 5, 6], [7, 8]])
    sequences, begins = [9, 5, 2], [2, 6, 0]
    cache.extend(sequences, list(map(len, tokens)))
    sizes = [Size(total, 3, False), Size(16, 4, False)] + [Size(n, n, True) for n in (3, 4) if total == 3]
    said = [
        model.compute(cache, torch.from_numpy(model.pack(cache, sequences, tokens, begins, size)), size)[:3].tolist()
        for size in sizes
    ]
    assert all(answer == said[0] for answer in said)


def test_nobody_joins_a_static_batch_and_everybody_a_continuous_one(model):
    trace = [Arrival(0.0, [1, 2, 3], n) for n in (1, 3, 1, 2, 1)]
    model.new_cache(20, 16)
    steps = {name: run(name, model, 20, trace, 0.0).steps for name in ENGINES}
    assert steps == {"static": 4, "continuous": 3}


def test_the_trace_of_nano_vllm_has_the_tokens_that_its_readme_names():
    trace = nano_vllm()
    assert sum(arrival.new for arrival in trace) == 133_966
    assert sum(len(arrival.prompt) for arrival in trace) == 142_827


def test_requests_come_at_the_rate_that_is_asked_for():
    trace = poisson(50.0, 20.0, 100, (8, 4), 16)
    assert len(trace) == pytest.approx(1000, rel=0.1)
    assert np.all(np.diff([arrival.at for arrival in trace]) > 0) and max(len(a.prompt) for a in trace) == 16
