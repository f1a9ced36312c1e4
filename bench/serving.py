"""`python -m bench.serving OUT.json`, on a GPU: requests that arrive at random, in static and in continuous batches.

A model of 1B parameters with random weights in bfloat16 (`llama_shape`) is served by the course's engines. Requests
come as a Poisson process; rate after rate is tried until fewer than nine in ten have their first token within LATENCY
seconds. What is compared are the tokens per second at the highest rate that held. Steps are CUDA graphs, so that the
GPU waits for no launch within one; what Python does between two steps is a part of the time, and is measured too.
Last comes nano-vllm's own trace (256 requests at once). `--tiny` tries all of it on the CPU, with a model of no use.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from autograder.benchmark import recorded
from autograder.benchmark.timing.roofline import this_device, versions
from bench.llama_shape import TINY, GpuCache, Largest, Llama, Shape
from kernels.continuous_batching import Engine, PreemptingEngine, StaticBatches, step_time

LATENCY = 5.0  # seconds to the first token, for nine of ten requests
FIRST_RATE, FACTOR, MOST_RATES = 12.0, 1.5, 10  # requests per second
SECONDS = 8.0  # during which requests arrive
PROMPT, ANSWER, LONGEST = 256, 128, 512  # tokens: means of exponential lengths, and the most of each
BLOCKS, BLOCK = 16_384, 16


ENGINES: dict[str, type[Engine]] = {"static": StaticBatches, "continuous": PreemptingEngine}


@dataclass(frozen=True)
class Arrival:
    """A request of a trace: when it comes, in seconds, its prompt, and how many tokens it is to say."""

    at: float
    prompt: list[int]
    new: int


def poisson(rate: float, seconds: float, vocabulary: int, mean: tuple[int, int], longest: int) -> list[Arrival]:
    """The same requests for every rate, closer together or farther apart, until the seconds are over."""
    rng = np.random.default_rng(0)
    found: list[Arrival] = []
    at = 0.0
    while True:
        wait, *lengths = rng.exponential((1.0, *mean))
        at += wait / rate
        if at > seconds:
            return found
        prompt, new = (min(1 + int(n), longest) for n in lengths)
        found.append(Arrival(at, rng.integers(vocabulary, size=prompt).tolist(), new))


def nano_vllm() -> list[Arrival]:
    """The requests of nano-vllm's bench.py, all at once: 256 of 100 to 1024 tokens, 133,966 to say in all."""
    chosen = random.Random(0)
    prompts = [[chosen.randint(0, 10_000) for _ in range(chosen.randint(100, 1024))] for _ in range(256)]
    return [Arrival(0.0, prompt, chosen.randint(100, 1024)) for prompt in prompts]


@dataclass
class Run:
    """What one trace showed. Times in seconds: of all, to the first token, between two tokens of a request."""

    engine: str
    rate: float
    requests: int
    tokens: int
    seconds: float
    first: dict[str, float]
    between: dict[str, float]
    steps: int
    busy: float  # requests in a step, on average
    preempted: int
    in_model: float  # share of the seconds in which the model's step was at work, Python's packing included
    roofline: float  # share of the seconds that the steps take at least, on the roofline's clock

    @property
    def tokens_per_second(self) -> float:
        return self.tokens / self.seconds

    def holds(self, latency: float) -> bool:
        return self.first["p90"] <= latency

    def __str__(self) -> str:
        return (
            f"{self.engine:10} {self.rate:6.1f} requests/s: {self.tokens_per_second:8.0f} tokens/s, first token "
            f"{1e3 * self.first['p50']:6.0f} ms ({1e3 * self.first['p90']:.0f} in nine of ten), between tokens "
            f"{1e3 * self.between['p50']:.1f} ms ({1e3 * self.between['p99']:.1f} in 99 of 100), {self.busy:.0f} in a "
            f"step, {self.preempted} preempted, {self.in_model:.0%} in the model, roofline {self.roofline:.0%}"
        )


class Served:
    """The model with the one cache for which its steps are recorded, empty again. spent: seconds in its steps."""

    def __init__(self, model: Llama):
        self.model, self.spent = model, 0.0

    def new_cache(self, n_blocks: int, block_size: int) -> GpuCache:
        assert self.model.cache is not None and not self.model.cache.tables
        return self.model.cache

    def step(self, *given: Any) -> list[Largest]:
        begin = time.perf_counter()
        try:
            return self.model.step(*given)
        finally:
            self.spent += time.perf_counter() - begin


def run(name: str, model: Llama, n_blocks: int, trace: Sequence[Arrival], rate: float) -> Run:
    """Serve a trace by the clock on the wall."""
    shape, served = model.shape, Served(model)
    engine = ENGINES[name](n_blocks, BLOCK, shape.sequences, shape.budget, served)
    said: dict[int, list[float]] = {i: [] for i in range(len(trace))}
    steps = busy = preempted = come = 0
    least, begin = 0.0, time.perf_counter()
    while come < len(trace) or engine.running or engine.waiting:
        now = time.perf_counter() - begin
        while come < len(trace) and trace[come].at <= now:
            engine.submit(come, trace[come].prompt, trace[come].new)
            come += 1
        if not engine.running and not engine.waiting:
            time.sleep(max(0.0, trace[come].at - now))
            continue
        before, ran = dict(engine.cache.lengths), {request.number for request in engine.running}
        computed, answers = (pairs.tolist() for pairs in engine.step())
        now = time.perf_counter() - begin
        for number, _ in answers:
            said[number].append(now)
        new = np.array([n for _, n in computed])
        least += seconds_at_least(new, new + [before.get(number, 0) for number, _ in computed], shape)
        steps, busy = steps + 1, busy + len(computed)
        preempted += len(ran - {number for number, _ in computed})
    seconds = time.perf_counter() - begin
    first = [times[0] - arrival.at for times, arrival in zip(said.values(), trace, strict=True)]
    between = [gap for times in said.values() for gap in np.diff(times)]
    tokens = sum(map(len, said.values()))
    assert tokens == sum(arrival.new for arrival in trace)
    return Run(
        name, rate, len(trace), tokens, seconds, percentiles(first), percentiles(between), steps, busy / steps,
        preempted, served.spent / seconds, least / seconds,
    )  # fmt: skip


def seconds_at_least(new: np.ndarray, length: np.ndarray, shape: Shape) -> float:
    """On an H200, with what programs reach on it."""
    best = recorded().ceilings
    assert best is not None
    sizes = shape.weights, shape.per_token, shape.per_pair, 2
    return float(step_time(new, length, *sizes, best.matmul, best.copy))


def percentiles(seconds: Sequence[float]) -> dict[str, float]:
    if not seconds:
        return dict.fromkeys(("mean", "p50", "p90", "p99"), 0.0)
    return {"mean": float(np.mean(seconds))} | {
        f"p{share}": float(np.percentile(seconds, share)) for share in (50, 90, 99)
    }


def ladder(serve: Callable[[float], Run], latency: float, rates: Sequence[float]) -> list[Run]:
    """Run after run at rising rates, the last of which does not hold the bound, or is the last of the rates."""
    found = []
    for rate in rates:
        found.append(serve(rate))
        print(found[-1], flush=True)
        if not found[-1].holds(latency):
            break
    return found


def agrees(model: Llama, n_blocks: int) -> float:
    """Which share of the tokens after a text is the same, whether it was read at once or in chunks beside another.

    In float32 all of them; in 16 bits sums in another order may turn a choice, and then all that follow it.
    """
    shape = model.shape
    text = np.random.default_rng(1).integers(shape.vocabulary, size=min(200, shape.longest // 3)).tolist()
    answers = []
    for budget, others in ((shape.budget, 0), (shape.budget // 4, 1)):
        engine = PreemptingEngine(n_blocks, BLOCK, 2, budget, Served(model))
        for number in range(1 + others):
            engine.submit(number, text[number:], min(40, shape.longest // 3))
        answer = []
        while engine.running or engine.waiting:
            answer += [token for number, token in engine.step()[1].tolist() if number == 0]
        answers.append(answer)
    return float(np.mean(np.array(answers[0]) == np.array(answers[1])))


def measure(shape: Shape, device: str, dtype: torch.dtype, tiny: bool) -> dict[str, Any]:
    n_blocks = 40 if tiny else BLOCKS
    seconds, mean, longest = (0.3, (8, 4), 16) if tiny else (SECONDS, (PROMPT, ANSWER), LONGEST)
    latency = 600.0 if tiny else LATENCY
    rates = [20.0, 30.0] if tiny else [FIRST_RATE * FACTOR**i for i in range(MOST_RATES)]
    model = Llama(shape, device, dtype)
    model.new_cache(n_blocks, BLOCK)
    same = agrees(model, n_blocks)
    print(f"{same:.0%} of the tokens are the same whether a text is read at once, or in chunks beside another")

    def at(name: str, rate: float) -> Run:
        return run(name, model, n_blocks, poisson(rate, seconds, shape.vocabulary, mean, longest), rate)

    at("continuous", rates[0])  # which warms up
    runs = {name: ladder(partial(at, name), latency, rates) for name in ENGINES}
    best = {
        name: max((r.tokens_per_second for r in found if r.holds(latency)), default=0) for name, found in runs.items()
    }
    print(f"nine in ten first tokens in {latency} s: " + ", ".join(f"{n} {x:.0f} tokens/s" for n, x in best.items()))
    burst = [] if tiny else [run("continuous", model, n_blocks, nano_vllm(), 0.0)]
    for found in burst:
        print(f"nano-vllm's trace: {found}")
    return {
        "shape": asdict(shape) | {"weights": shape.weights},
        "latency": latency,
        "same_tokens": same,
        "tokens_per_second": best,
        "runs": {name: list(map(told, found)) for name, found in runs.items()},
        "nano_vllm_trace": list(map(told, burst)),
    }


def told(run: Run) -> dict[str, Any]:
    return asdict(run) | {"tokens_per_second": run.tokens_per_second}


def main() -> None:
    parser = argparse.ArgumentParser(description="static against continuous batching, measured")
    parser.add_argument("out")
    parser.add_argument("--tiny", action="store_true", help="a tiny model in float32, without a GPU")
    given = parser.parse_args()
    torch.manual_seed(0)
    on_gpu = torch.cuda.is_available() and not given.tiny
    if not on_gpu and not given.tiny:
        raise SystemExit("this measures on a GPU, and there is none here; --tiny tries it without")
    shape = Shape() if on_gpu else TINY
    found = measure(shape, "cuda" if on_gpu else "cpu", torch.bfloat16 if on_gpu else torch.float32, given.tiny)
    device = this_device().name if on_gpu else "CPU"
    about = {"device": device, "versions": versions(), "date": date.today().isoformat()}
    Path(given.out).write_text(json.dumps(about | found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
