"""Training a small model on the spot, and finding it again.

A run is measured in seconds of processor time, so that a busy machine makes it longer and not worse. It has one thread:
several wait for each other by spinning, which on a busy machine is most of what they do, and counts as their time.
"""

from __future__ import annotations

import contextlib
import math
import os
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor

from autograder.judging.rounding import one_unit_off
from autograder.notebook.live.line import Line, waiting
from autograder.notebook.progress import folder
from autograder.spec.user_error import UserError
from kernels.language_model import Attend, Config, LanguageModel, Parts

from .checkpoint import load_checkpoint, save_checkpoint
from .imports import imported_whole
from .own import best_device, own_parts
from .text import learn_vocabulary, texts

SMALL = Config(vocabulary=512, width=128, layers=4, heads=4, kv_heads=2, d=32, hidden=384)
KEPT = "language_model"  # a folder beside the learner's notebooks
SECONDS = "TILEWISE_TRAINING"  # how long a model is trained where that is not said: the proof of a lesson shortens it
NOTHING_LEARNED = "Stopped before the first step: nothing has been learned, and nothing is kept."
STOPPED_EARLY = "Stopped after {:.0f} of {:.0f} seconds: this model is kept and used. To train another, delete {}."
CONTEXT, BATCH, RATE, WARM_UP = 128, 6, 2e-2, 30


def seconds_of_training() -> float:
    return float(os.environ.get(SECONDS) or 100)


def new_model(config: Config = SMALL, parts: Parts | None = None, device: str = "cpu", seed: int = 0) -> LanguageModel:
    """A model that has learned nothing: random matrices, whose gradients are wanted."""
    generator = torch.Generator().manual_seed(seed)
    weights = {}
    for name, shape in config.shapes().items():
        x = torch.ones(shape)
        if len(shape) == 2:
            last = name.endswith(("o_proj.weight", "down_proj.weight"))  # what is added up over the layers
            x = torch.randn(shape, generator=generator) / (2 * shape[1] ** 0.5)
            x /= (2 * config.layers) ** 0.5 if last else 1
            x *= 0.3 if name.startswith("model.embed") else 1
        weights[name] = x.to(device).requires_grad_()
    return LanguageModel(config, weights, parts)


@dataclass
class Run:
    """A training run as it stands. losses: of every step, nats per token. samples: what it wrote, with the seconds."""

    model: LanguageModel
    tokenizer: Tokenizer
    seconds: float = 0.0
    losses: list[float] = field(default_factory=list)
    at: list[float] = field(default_factory=list)  # seconds when each step ended
    samples: list[tuple[float, str]] = field(default_factory=list)


def steps(
    model: LanguageModel, tokens: Tensor, share: Iterator[float], attend: Attend | None = None, seed: int = 0
) -> Iterator[float]:
    """Train step by step: yields each step's loss. share: how much of the run is over, before each step.

    Muon for the matrices, AdamW for the embedding and the norms' weights, at one rate, which falls along a cosine.
    """
    imported_whole("torch._dynamo")  # as an optimizer's first step does
    w = model.weights
    matrices = {name: x for name, x in w.items() if x.ndim == 2 and "embed" not in name and "lm_head" not in name}
    rest = [x for name, x in w.items() if name not in matrices]
    muon = torch.optim.Muon(matrices.values(), weight_decay=0.1, adjust_lr_fn="match_rms_adamw")
    optimizers = [muon, torch.optim.AdamW(rest, betas=(0.9, 0.95), weight_decay=0.0)]
    generator = torch.Generator().manual_seed(seed)
    for step, over in enumerate(share):
        begin = torch.randint(len(tokens) - CONTEXT, (BATCH, 1), generator=generator)
        batch = tokens[begin + torch.arange(CONTEXT + 1)]
        batch[:, 0] = 0  # each piece begins as a text of its own
        batch = batch.to(model.device)
        loss = model.parts.next_token_loss(model.logits(batch, attend), batch)
        loss.backward()
        for optimizer in optimizers:
            for group in optimizer.param_groups:
                group["lr"] = RATE * min(1, (step + 1) / WARM_UP) * (0.525 + 0.475 * math.cos(math.pi * over))
            optimizer.step()
            optimizer.zero_grad()
        yield loss.item()


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def train(parts: Parts | None = None, seconds: float | None = None, sample_every: float = 20.0) -> Generator[Run]:
    """Train a small model and keep it in the learner's folder: yields the run as it stands, after every step.

    seconds: of processor time, 100 by default. To stop early is no loss: what has been learned is kept.
    """
    seconds = seconds_of_training() if seconds is None else seconds
    device = best_device()
    training, _ = texts()
    tokenizer = learn_vocabulary(training, SMALL.vocabulary)
    tokens = torch.tensor(tokenizer.encode(training, add_special_tokens=False).ids)
    run = Run(new_model(parts=parts or own_parts(device=device)[0], device=device), tokenizer)
    begin = time.process_time()

    def share() -> Iterator[float]:
        while (run_for := time.process_time() - begin) < seconds:
            yield run_for / seconds

    try:
        with one_thread():
            for loss in steps(run.model, tokens, share()):
                run.losses.append(loss)
                run.seconds = time.process_time() - begin
                run.at.append(run.seconds)
                if run.seconds >= sample_every * (len(run.samples) + 1):
                    run.samples.append((run.seconds, written(run)))
                yield run
        if not run.samples or run.seconds > run.samples[-1][0] + 2:
            run.samples.append((run.seconds, written(run)))
        yield run
    finally:
        if run.losses or run.samples:  # not if it was stopped before its first step
            save_checkpoint(run.model, tokenizer, kept_in())


def trained(parts: Parts | None = None) -> tuple[LanguageModel, Tokenizer]:
    """The model that was trained here, with its tokenizer; if there is none yet, one is trained now.

    Raises UserError if that is stopped before its first step; later, what has been learned until then is kept.
    """
    parts = parts or own_parts()[0]
    if not (kept_in() / "config.json").exists():
        seconds = seconds_of_training()
        print(f"No trained model is kept yet: one is trained now, in {seconds:.0f} seconds of processor time.")
        line, learned, stopped = Line(), 0.0, False
        with waiting(lambda gone: f"training, {gone:.0f} s; press I I to stop: what it has learned is kept", line):
            try:
                for run in train(parts, seconds):
                    learned = run.seconds
            except KeyboardInterrupt:
                stopped = True
        line.clear()
        if not (kept_in() / "config.json").exists():
            raise UserError(NOTHING_LEARNED)
        if stopped:
            print(STOPPED_EARLY.format(learned, seconds, kept_in()))
    return load_checkpoint(kept_in(), parts, best_device())


def first_losses(parts: Parts, attend: Attend | None = None, n: int = 30, seed: int | None = None) -> Tensor:
    """The losses of the first n steps of a smaller model, (n,): with the parts' own attention, or with another.

    It is trained on the GPU where there is one, as `own_parts` supposes.
    seed: of a run whose weights are a unit in the last place off before every step, as the course's tolerance has it.
    Raises UserError if it is stopped.
    """
    smaller = replace(SMALL, width=64, layers=2, d=16, hidden=192)
    weights = {name: x.detach().to(best_device()).requires_grad_() for name, x in new_model(smaller).weights.items()}
    model = LanguageModel(smaller, weights, parts)
    generator = None if seed is None else torch.Generator().manual_seed(seed)

    def shares() -> Iterator[float]:
        for step in range(n):
            if generator is not None:
                with torch.no_grad():
                    for x in weights.values():
                        x.copy_(one_unit_off(x.cpu(), generator))
            yield step / n

    line = Line()
    try:
        with one_thread(), waiting(lambda gone: f"training a smaller model, {gone:.0f} s; press I I to stop", line):
            text = texts()[0][:100_000]
            tokens = torch.tensor(learn_vocabulary(text, smaller.vocabulary).encode(text, add_special_tokens=False).ids)
            losses = list(steps(model, tokens, shares(), attend))
    except KeyboardInterrupt:
        raise UserError("Stopped before the curves were there: run this cell again to compare them.") from None
    finally:
        line.clear()
    return torch.tensor(losses)


def kept_in() -> Path:
    """Where a trained model is kept."""
    return folder() / KEPT


def written(run: Run, begin: str = "The cache", n: int = 60) -> str:
    """What the model goes on to write at this moment."""
    prompt = run.tokenizer.encode(begin).ids
    return begin + str(run.tokenizer.decode(list(run.model.generate(prompt, n, temperature=0.7))))


def nats_per_character(model: LanguageModel, tokenizer: Tokenizer) -> float:
    """How surprised a model is by the lessons that are held out."""
    _, test = texts()
    tokens = torch.tensor(tokenizer.encode(test).ids, device=model.device)
    pieces = tokens[: (len(tokens) - 1) // CONTEXT * CONTEXT + 1].unfold(0, CONTEXT + 1, CONTEXT).clone()
    pieces[:, 0] = 0
    with torch.no_grad():
        losses = [model.parts.next_token_loss(model.logits(piece[None]), piece[None]) for piece in pieces]
    return float(torch.stack(losses).mean()) * len(tokens) / len(test)
