"""Training: the learner's attention learns as PyTorch's does; what was trained is kept, and found again."""

import gc
import itertools
from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch
import torch.nn.functional as F

from autograder.notebook import starters
from autograder.notebook.live import line
from autograder.spec.catalogue import exercise_named
from autograder.spec.user_error import UserError
from kernels.language_model import Parts
from models import training
from models.checkpoint import load_checkpoint
from models.own import own_parts
from models.text import BEGIN, learn_vocabulary, texts
from models.training import first_losses, kept_in, train, trained
from models.watching import watch


@pytest.fixture(autouse=True)
def work(tmp_path, monkeypatch):
    monkeypatch.setenv("TILEWISE_WORK", str(tmp_path))
    return tmp_path


@pytest.fixture
def small(monkeypatch):
    """A model and a text that cost next to nothing."""
    monkeypatch.setattr(training, "texts", lambda: ("the cache holds keys and values. " * 50, "the keys. " * 40))
    monkeypatch.setattr(training, "SMALL", replace(training.SMALL, width=16, layers=1, d=16, hidden=16))


def sdpa(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)


def test_the_curve_of_the_first_steps_is_that_of_sdpa():
    theirs = first_losses(Parts(), sdpa)
    strayed = max((first_losses(Parts(), sdpa, seed=seed) - theirs).abs().max() for seed in (1, 2))
    assert (first_losses(Parts()) - theirs).abs().max() <= 3 * strayed
    assert theirs[-1] < theirs[0] - 0.5

    def not_scaled(q, k, v):
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True, scale=1.0)

    assert (first_losses(Parts(), not_scaled) - theirs).abs().max() > 20 * strayed, "another curve is told apart"


def test_what_is_trained_is_kept_and_found(small, monkeypatch, capsys):
    monkeypatch.setenv(training.SECONDS, "0.5")
    model, tokenizer = trained()
    assert "No trained model is kept yet: one is trained now" in capsys.readouterr().out
    assert {path.suffix for path in kept_in().iterdir()} == {".json", ".safetensors"}, "and no pickle"
    again, _ = trained()
    assert capsys.readouterr().out == ""
    assert all(torch.equal(x, again.weights[name]) for name, x in model.weights.items())
    assert tokenizer.encode("the").ids[0] == tokenizer.token_to_id(BEGIN) == 0


def test_a_run_that_is_stopped_before_its_first_step_keeps_nothing_and_says_so(small, monkeypatch):
    def interrupted(*given, **named):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(training, "steps", interrupted)
    with pytest.raises(UserError, match="nothing is kept"):
        watch(train(seconds=1.0))
    with pytest.raises(UserError, match="nothing is kept"):
        trained(Parts())
    assert not kept_in().exists()


def test_a_run_has_one_thread_and_gives_the_others_back(small):
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        for _ in itertools.islice(train(Parts(), seconds=1000.0), 2):
            assert torch.get_num_threads() == 1
        gc.collect()
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_a_training_on_the_way_that_is_stopped_goes_on_with_what_was_learned(small, monkeypatch, capsys):
    def interrupted(*given, **named):
        yield from itertools.islice(steps(*given, **named), 3)
        raise KeyboardInterrupt

    steps = training.steps
    monkeypatch.setattr(training, "steps", interrupted)
    model, _ = trained(Parts())
    assert model.weights and kept_in().exists()
    said = capsys.readouterr().out
    assert "Stopped after" in said and f"delete {kept_in()}" in said
    trained(Parts())
    assert "Stopped" not in capsys.readouterr().out


def test_a_smaller_model_that_is_stopped_says_so_in_one_sentence(small, monkeypatch):
    def interrupted(*given, **named):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(training, "steps", interrupted)
    with pytest.raises(UserError, match="run this cell again"):
        first_losses(Parts())


def test_training_says_at_once_that_it_begins(small, monkeypatch):
    """What comes before the first step, such as the vocabulary, takes many seconds on a busy machine."""
    said: list[str] = []
    monkeypatch.setattr(line, "_is_notebook", lambda: True)
    monkeypatch.setattr(line.Line, "say", lambda self, text: said.append(text))

    def first_asked():
        said.append("the first step")
        raise KeyboardInterrupt
        yield

    with pytest.raises(UserError):
        watch(first_asked())
    assert said[:2] == ["training, 0 s; press I I to stop", "the first step"]


def test_a_run_that_is_stopped_is_kept_as_far_as_it_came(small):
    runs = train(Parts(), seconds=1000.0)
    *_, run = itertools.islice(runs, 5)
    runs.close()
    kept, _ = load_checkpoint(kept_in())
    assert len(run.losses) == 5
    assert all(torch.equal(x, kept.weights[name]) for name, x in run.model.weights.items())


def test_a_run_gets_better_and_writes_something(small, monkeypatch):
    seconds = itertools.count(0.0, 0.25)  # a quarter at each look: as many steps on every machine
    monkeypatch.setattr(training, "time", SimpleNamespace(process_time=lambda: next(seconds)))
    *_, run = train(Parts(), seconds=3.0, sample_every=1.0)
    assert run.losses[-1] < run.losses[0] - 1
    assert run.samples and all(text.startswith("The cache") for _, text in run.samples)


def test_the_parts_are_the_learners_where_answers_have_passed(work):
    exercise = exercise_named("paged_gather_attention")
    (work / starters.PASSED).mkdir()
    kept = work / starters.PASSED / "paged_gather_attention.txt"
    kept.write_text(exercise.answer + "\nmine = True\n")
    parts, said = own_parts(device="cpu")
    assert parts.prefill is not exercise.function and parts.prefill.__globals__["mine"]
    assert "Yours: paged_gather_attention." in said and "attention_gradients" in said
    kept.write_text("import no_such_module\n")
    parts, said = own_parts(device="cpu")
    assert parts.prefill is exercise.function and "Yours: nothing yet." in said


def test_an_answer_uses_the_learners_own_earlier_ones(work):
    """PagedCache is made of BlockAllocator, the exercise before it."""
    (work / starters.PASSED).mkdir()
    for name in ("BlockAllocator", "PagedCache"):
        (work / starters.PASSED / f"{name}.txt").write_text(f"{exercise_named(name).answer}\nmine_{name} = True\n")
    parts, _ = own_parts(device="cpu")
    cache = parts.cache(2, 2, 1, 1)
    assert "mine_BlockAllocator" in type(cache.allocator).allocate.__globals__


def test_the_text_is_prose_and_the_test_is_not_trained_on():
    learned, test = texts()
    assert len(learned) > 500_000 and 10_000 < len(test) < 100_000
    for text in (learned, test):
        assert "```" not in text and "{lesson}" not in text
    assert max(test.split("\n"), key=len) not in learned
    tokenizer = learn_vocabulary(learned[:50_000], 300)
    assert tokenizer.get_vocab_size() == 300
    assert tokenizer.decode(tokenizer.encode("Grüße an W_Q!").ids) == "Grüße an W_Q!"
